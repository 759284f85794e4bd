import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite("Directory")
struct DirectoryTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("directory") }

  private func error(_ body: () throws(Failure) -> Void) -> Failure? {
    do throws(Failure) { try body() } catch { return error }
    return nil
  }

  @Test("a file is replaced by another one, even if a power cut left both of its names on one file")
  func replace() throws {
    try scratch.write("groups", "old")
    let root = try Directory(opening: scratch.path)
    try root.link("groups", to: root, as: "groups.new")
    try root.link("groups", to: root, as: "witness")
    try root.replace("groups", with: Array("new".utf8))
    #expect(try scratch.names() == ["groups", "witness"])
    #expect(try scratch.read("groups") == Array("new".utf8))
    #expect(try scratch.read("witness") == Array("old".utf8))
  }

  @Test("a tree is removed whole, links in it and not what they lead to; none is as good as removed")
  func removeTree() throws {
    try scratch.write("tree/a/b/c", "x")
    try scratch.write("precious/file", "x")
    let root = try Directory(opening: scratch.path)
    try root.makeSymbolicLink("tree/link", to: "../precious")
    try root.makeSymbolicLink("link", to: "precious")
    try root.removeTree("tree")
    try root.removeTree("tree")
    try root.removeTree("link")
    #expect(try scratch.names() == ["precious"])
    #expect(try scratch.names("precious") == ["file"])
  }

  @Test("a private file is new and its owner's alone, and so is a private directory")
  func privacy() throws {
    let root = try Directory(opening: scratch.path)
    let made = try root.open("key", to: .makePrivate)
    #expect(try made.isPrivate())
    #expect(error { () throws(Failure) in _ = try root.open("key", to: .makePrivate) }?.errno == .exists)
    let open = try root.open("page", to: .replace)
    #expect(try !open.isPrivate())
    try root.makePrivateDirectory("keys")
    #expect(error { () throws(Failure) in try root.makePrivateDirectory("keys") }?.errno == .exists)
  }

  @Test("a tree that is too deep is not followed for ever")
  func tooDeep() throws {
    try scratch.write("1/2/3/file", "x")
    let root = try Directory(opening: scratch.path)
    let error = error { () throws(Failure) in try root.removeTree("1", depth: 3) }
    #expect(error?.errno?.sentence.contains("symbolic links") == true)
    try root.removeTree("1", depth: 4)
    #expect(try scratch.names() == [])
  }

  @Test("names are bytes: one that is not UTF-8 is removed like any other")
  func foreignNames() throws {
    try scratch.write("tree/below/file", "x")
    let names: [[UInt8]] = [[0x78, 0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80]]
    for name in names {
      for folder in ["", "tree/", "tree/below/"] {
        let path = (Array("\(scratch.path)/\(folder)".utf8) + name + [0]).map { CChar(bitPattern: $0) }
        #expect(mkdir(path, 0o755) == 0)
      }
    }
    let root = try Directory(opening: scratch.path)
    try root.removeTree("tree")
    #expect(try scratch.names().count == names.count)
    try root.removeTrees { _ in true }
    #expect(try scratch.names() == [])
  }

  @Test("what cannot be removed stays, everything beside it goes, and the error is thrown")
  func unremovable() throws {
    // Before it and after it, in whatever order a file system lists them.
    for number in 1...40 {
      if number == 20 { try scratch.write("tree/1/2/3/file", "x") }
      try scratch.write("tree/file\(number)", "x")
      try scratch.write("tree/folder\(number)/file", "x")
    }
    let root = try Directory(opening: scratch.path)
    let error = error { () throws(Failure) in try root.removeTree("tree", depth: 4) }
    #expect(error?.errno == Errno(code: ELOOP))
    #expect(try scratch.names("tree") == ["1"])
  }

  @Test(
    "a directory takes the place of a file or a link, and not of a directory", arguments: ["file", "link"])
  func makeDirectoryReplacing(kind: String) throws {
    let root = try Directory(opening: scratch.path)
    try scratch.write("outside/precious", "x")
    if kind == "file" {
      try scratch.write("name", "x")
    } else {
      try root.makeSymbolicLink("name", to: "outside")
    }
    try root.makeDirectory(replacing: "name")
    #expect(try root.status(of: "name")?.kind == .directory)
    try scratch.write("name/kept", "x")
    try root.makeDirectory(replacing: "name")
    #expect(try scratch.names("name") == ["kept"])
    #expect(try scratch.names("outside") == ["precious"])
  }

  @Test("a symbolic link in the last place is not opened")
  func links() throws {
    try scratch.write("file", "x")
    try scratch.makeDirectory("folder")
    let root = try Directory(opening: scratch.path)
    try root.makeSymbolicLink("to-file", to: "file")
    try root.makeSymbolicLink("to-folder", to: "folder")
    for access in [File.Access.read, .update, .replace, .append] {
      #expect(error { () throws(Failure) in _ = try root.open("to-file", to: access) } != nil)
    }
    #expect(error { () throws(Failure) in _ = try root.openDirectory("to-folder") } != nil)
    #expect(try root.status(of: "to-file")?.kind == .other)
    #expect(try root.readSymbolicLink("to-file") == "file")
    #expect(try root.readSymbolicLink("none") == nil)
    #expect(error { () throws(Failure) in _ = try root.readSymbolicLink("file") }?.errno == .invalid)
  }

  @Test("an error names the file")
  func sentence() throws {
    let root = try Directory(opening: scratch.path)
    let error = error { () throws(Failure) in _ = try root.open("none") }
    #expect(error == Failure(.noEntry, path: "\(scratch.path)/none"))
    #expect(error?.cause == "\(scratch.path)/none: No such file or directory")
  }

  @Test("a name with a NUL is not another name")
  func nul() throws {
    try scratch.write("file", "x")
    let root = try Directory(opening: scratch.path)
    #expect(error { () throws(Failure) in _ = try root.open("file\u{0}x") }?.errno == .noEntry)
  }

  @Test("one may change while none looks; many may look")
  func lock() throws {
    do {
      let one = try Directory(opening: scratch.path)
      try one.lock(.shared)
      let two = try Directory(opening: scratch.path)
      try two.lock(.shared)
      let three = try Directory(opening: scratch.path)
      #expect(error { () throws(Failure) in try three.lock(.exclusive) }?.errno == .wouldBlock)
    }
    try Directory(opening: scratch.path).lock(.exclusive)
  }

  @Test("waiting for a lock ends with the lock, with the time, or with a stop")
  func waiting() throws {
    let waiting = try Directory(opening: scratch.path)
    do {
      let holder = try Directory(opening: scratch.path)
      try holder.lock(.exclusive)
      let failure = error { () throws(Failure) in try waiting.lock(.shared, within: 5, every: 1) }
      #expect(failure?.errno == .wouldBlock)
      var polls = 0
      let isLocked = try waiting.lock(.shared, within: 60_000, every: 1) {
        polls += 1
        return polls == 3
      }
      #expect(!isLocked && polls == 3)
      _ = consume holder
    }
    #expect(try waiting.lock(.exclusive, within: 0, every: 1) { true })
  }

  @Test("reserved space is occupied, and the size stays what was written")
  func reserve() throws {
    let root = try Directory(opening: scratch.path)
    let file = try root.open("file", to: .update)
    try file.reserve(0)
    try file.reserve(1 << 20)
    let bytes: [UInt8] = [1, 2, 3]
    try file.write(bytes.span.bytes, at: 4)
    try file.synchronizeData()
    let status = try #require(try root.status(of: "file"))
    #expect(status.size == 7 && status.occupied >= 1 << 20)
    #expect(try scratch.read("file") == [0, 0, 0, 0, 1, 2, 3])
    // Far more than any disk has.
    let refused = error { () throws(Failure) in try file.reserve(1 << 60) }?.errno
    #expect(refused?.isOutOfSpace == true || refused == Errno(code: 27), "\(refused?.sentence ?? "nothing")")
    #expect(error { () throws(Failure) in try file.reserve(.max) }?.errno == .invalid)
  }
}
