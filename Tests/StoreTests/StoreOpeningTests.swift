import Crypto
import Glibc
import MapModel
import Platform
import TestSupport
import Testing

@testable import Store

@Suite("Opening a store")
struct StoreOpeningTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("opening") }

  private enum Access { case read, change }

  private func error(_ path: String, for access: Access) -> Failure? {
    Fixture.error { () throws(Failure) in
      switch access {
      case .read: _ = try Store(opening: path)
      case .change: _ = try LockedStore(opening: path)
      }
    }
  }

  @Test("a file that is too large for the file system is found out before anything is written")
  func fileSize() throws {
    let store = try LockedStore(opening: scratch.path)
    try store.checkFileSize(UInt64(UInt32.max) + 1)
    let error = Fixture.error { () throws(Failure) in try store.checkFileSize(1 << 62) }
    // A file system in memory takes any size.
    let probe = open("\(scratch.path)/probe", O_CREAT | O_WRONLY, 0o600)
    defer { close(probe) }
    guard ftruncate(probe, 1 << 62) != 0 else {
      #expect(error == nil)
      return
    }
    guard case .file(let cause) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.errno == .fileTooLarge)
    #expect(try names("\(scratch.path)/generations") == [])
  }

  @Test("to change it makes the directories, to read it does not")
  func directories() throws {
    let path = "\(scratch.path)/var/lib/maps"
    #expect(error(path, for: .read) == .noStore(path: path))
    #expect(error(path, for: .change) == nil)
    #expect(error(path, for: .read) == nil)
    #expect(try scratch.names("var/lib/maps") == ["format", "generations", "staging"])
  }

  @Test("a second process that changes the store finds it busy; readers are let in")
  func busy() throws {
    let path = scratch.path
    do {
      let first = try LockedStore(opening: path)
      #expect(error(path, for: .change) == .busy(path: path))
      #expect(error(path, for: .read) == nil)
      _ = consume first
    }
    #expect(error(path, for: .change) == nil)
  }

  @Test("what an interrupted run left goes with the next opening for change, and not with one to read")
  func leftovers() throws {
    do {
      let store = try LockedStore(opening: scratch.path)
      try Fixture.commit(1, in: store)
    }
    try scratch.write("generations/2.new/maps/a/base.dat", "x")
    try scratch.write("generations/0.old/manifest", "x")
    try scratch.write("current.new", "x")
    try scratch.write("history.new", "x")
    _ = try Store(opening: scratch.path)
    #expect(
      try scratch.names() == ["current", "current.new", "format", "generations", "history.new", "staging"])
    _ = try LockedStore(opening: scratch.path)
    #expect(try scratch.names() == ["current", "format", "generations", "staging"])
    #expect(try scratch.names("generations") == ["1"])
  }

  /// Makes a directory that no removal goes through: it is deeper than one follows.
  private func makeUnremovable(_ name: String) throws {
    try scratch.makeDirectory(name + String(repeating: "/x", count: 40))
  }

  private func removeEverything() throws {
    _ = try ChildProcess.run("rm", ["-rf", scratch.path + "/generations"])
  }

  @Test("what cannot be removed stops nothing, and no new generation takes its name")
  func unremovable() throws {
    defer { try? removeEverything() }
    do {
      let store = try LockedStore(opening: scratch.path)
      try Fixture.commit(1, in: store)
    }
    try makeUnremovable("generations/0.old")
    try makeUnremovable("generations/2.new")
    try makeUnremovable("current.new")
    try scratch.write("generations/1.new/maps/a/base.dat", "x")
    #expect(error(scratch.path, for: .change) == nil)
    #expect(try scratch.names("generations") == ["0.old", "1", "2.new"])
    try Directory(opening: scratch.path).rename("current.new", to: "generations/3.old")
    let store = try LockedStore(opening: scratch.path)
    #expect(try Fixture.commit(2, in: store) == 4)
    #expect(try Fixture.currentNumber(store) == 4 && Fixture.previousNumber(store) == 1)
    // A generation with such a thing in it is one no more, and no reason to fail either.
    try makeUnremovable("generations/1/maps/x")
    #expect(try Fixture.commit(3, in: store) == 5)
    #expect(try scratch.names("generations") == ["0.old", "1.old", "2.new", "3.old", "4", "5"])
    #expect(try Fixture.previousNumber(store) == 4)
  }

  @Test(
    "a name that is not the number of a generation is a leftover, and uses no number up",
    arguments: ["18446744073709551615", "1152921504606846976", "007", "99999999999999999999"])
  func strayNumber(name: String) throws {
    try scratch.write("generations/\(name)/manifest", "x")
    let store = try LockedStore(opening: scratch.path)
    #expect(try scratch.names("generations") == [])
    #expect(try Fixture.commit(1, in: store) == 1)
  }

  @Test("a stray generation with a huge number uses no number up")
  func hugeNumber() throws {
    try scratch.makeDirectory("generations/1152921504606846975")
    let store = try LockedStore(opening: scratch.path)
    #expect(try Fixture.commit(1, in: store) == 1)
    #expect(try Fixture.commit(2, in: store) == 2)
    #expect(try Fixture.currentNumber(store) == 2)
  }

  @Test(
    "a cache that is a link or a file is ignored by a reader and replaced by a writer; what it leads to stays",
    arguments: ["catalogs", "staging", "queue"], [true, false])
  func strayCache(name: String, isLink: Bool) throws {
    let outside = try Scratch("outside")
    for file in ["precious", "7", "newest"] { try outside.write(file, "x") }
    if isLink {
      try Directory(opening: scratch.path).makeSymbolicLink(name, to: outside.path)
    } else {
      try scratch.write(name, "x")
    }
    switch name {
    case "catalogs":
      let isThere = try CatalogCache.isThere(in: scratch.path)
      #expect(!isThere)
      try LockedCatalogCache(CatalogCache(making: scratch.path)).clear(keeping: [])
    case "staging":
      let isThere =
        switch try Store.openStaging(scratch.path) {
        case .some: true
        case .none: false
        }
      #expect(!isThere)
      try LockedStore(opening: scratch.path).staging.clear()
    default:
      #expect(try !OperationQueue.isWorkedOn(in: scratch.path))
      let queue = try OperationQueue(making: scratch.path)
      #expect(try queue.add(.update()) == 1)
    }
    #expect(try Directory(opening: scratch.path).status(of: name)?.kind == .directory)
    #expect(try outside.names() == ["7", "newest", "precious"])
  }

  @Test(
    "a stray current is refused, and nothing is done to it",
    arguments: [
      "/etc", "generations", "generations/x", "generations/1/maps", "elsewhere/1", "generations/-1",
    ])
  func strayCurrent(destination: String) throws {
    let store = try LockedStore(opening: scratch.path)
    try Directory(opening: scratch.path).makeSymbolicLink("current", to: destination)
    let error = Fixture.error { () throws(Failure) in _ = try Fixture.number(of: store.reading.current()) }
    #expect(error == .unusableStore(path: "\(scratch.path)/current", .strayCurrent))
    #expect(try Directory(opening: scratch.path).readSymbolicLink("current") == destination)
  }

  @Test("a current that points to no generation is a storage error")
  func danglingCurrent() throws {
    let store = try LockedStore(opening: scratch.path)
    try Directory(opening: scratch.path).makeSymbolicLink("current", to: "generations/9")
    let error = Fixture.error { () throws(Failure) in _ = try Fixture.number(of: store.reading.current()) }
    #expect(error == Failure(.noEntry, path: "\(scratch.path)/generations/9"))
  }

  @Test("a current that is a directory is refused and stays")
  func directoryCurrent() throws {
    try scratch.write("current/precious", "x")
    let store = try LockedStore(opening: scratch.path)
    let error = Fixture.error { () throws(Failure) in _ = try Fixture.number(of: store.reading.current()) }
    #expect(error == .unusableStore(path: "\(scratch.path)/current", .strayCurrent))
    #expect(try scratch.exists("current/precious"))
  }

  @Test("a root that is a file, or below one, is a storage error that names it")
  func fileRoot() throws {
    try scratch.write("file", "x")
    let path = "\(scratch.path)/file"
    #expect(error(path, for: .change) == Failure(.notADirectory, path: path))
    #expect(error(path, for: .read) == Failure(.notADirectory, path: path))
  }

  @Test(
    "a directory without write permission is a storage error", .enabled(if: getuid() != 0, "root may write"))
  func readOnly() throws {
    chmod(scratch.path, 0o500)
    defer { chmod(scratch.path, 0o700) }
    #expect(
      error(scratch.path, for: .change)
        == Failure(Errno(code: EACCES), path: "\(scratch.path)/generations"))
  }

  @Test("generations that are a symbolic link are refused: nothing outside the root is touched")
  func linkedGenerations() throws {
    let outside = try Scratch("outside")
    try outside.write("precious.new", "x")
    let root = try Directory(opening: scratch.path)
    try root.makeSymbolicLink("generations", to: outside.path)
    try root.makeDirectory("staging")
    #expect(
      error(scratch.path, for: .change)
        == Failure(.notADirectory, path: "\(scratch.path)/generations"))
    #expect(try outside.names() == ["precious.new"])
  }
}

extension CatalogCache {
  fileprivate static func isThere(in root: String) throws -> Bool {
    switch try CatalogCache.open(root) {
    case .some: true
    case .none: false
    }
  }
}
