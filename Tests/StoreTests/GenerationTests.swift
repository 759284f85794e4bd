import Crypto
import Foundation
import MapModel
import Platform
import Synchronization
import TestSupport
import Testing

@testable import Store

@Suite("Generations")
struct GenerationTests {
  private let scratch: Scratch
  private let store: StoreBox

  /// A store has no copies, a test suite does.
  final class StoreBox {
    let value: LockedStore
    init(_ path: String) throws { value = try LockedStore(opening: path) }
  }

  init() throws {
    scratch = try Scratch("store")
    store = try StoreBox(scratch.path)
  }

  @Test("a new store is empty")
  func empty() throws {
    #expect(try Fixture.currentNumber(store.value) == nil)
    #expect(try store.value.reading.currentRelease() == nil)
    #expect(try Fixture.previousNumber(store.value) == nil)
    #expect(try scratch.names().sorted() == ["format", "generations", "staging"])
  }

  @Test("a generation is invisible until it is switched to, then it has the next number")
  func commit() throws {
    try Fixture.commit(1, in: store.value)
    let number = try Fixture.build(2, components: [("a", "beta"), ("b/c", "gamma")], in: store.value)
    #expect(number == 2)
    #expect(try Fixture.currentNumber(store.value) == 1)
    try store.value.switchCurrent(to: number)
    #expect(try Fixture.currentNumber(store.value) == 2)
    #expect(try store.value.reading.currentRelease()?.release.number == 2)
    #expect(try store.value.reading.previousNumber() == 1)
    #expect(try scratch.read("current/maps/b/c/base.dat") == Array("gamma".utf8))
    #expect(try Directory(opening: scratch.path).readSymbolicLink("current") == "generations/2")
  }

  @Test("the previous generation stays until the commit after")
  func previous() throws {
    for release in 1...4 as ClosedRange<UInt64> { try Fixture.commit(release, in: store.value) }
    #expect(try scratch.names("generations") == ["3", "4"])
    #expect(try Fixture.previousNumber(store.value) == 3)
  }

  @Test("a rollback never goes to a generation that was finished and not switched to")
  func orphan() throws {
    try Fixture.commit(1, components: [("a", "old")], in: store.value)
    let orphan = try Fixture.build(2, components: [("a", "new")], in: store.value)
    let number = try Fixture.build(2, components: [("a", "new")], in: store.value)
    try store.value.switchCurrent(to: number)
    #expect([orphan, number] == [2, 3])
    #expect(try Fixture.previousNumber(store.value) == 1)
    try store.value.removeStaleGenerations()
    #expect(try scratch.names("generations") == ["1", "3"])
  }

  @Test("a rollback is the same switch backwards, and its number is not given again")
  func rollBack() throws {
    try Fixture.commit(1, components: [("a", "old")], in: store.value)
    try Fixture.commit(2, components: [("a", "new")], in: store.value)
    try store.value.switchCurrent(to: 1)
    #expect(try scratch.read("current/maps/a/base.dat") == Array("old".utf8))
    #expect(try Fixture.previousNumber(store.value) == nil)
    #expect(try Fixture.commit(2, in: store.value) == 3)
    #expect(try scratch.names("generations") == ["1", "3"])
  }

  @Test("components that stay are hard links to the same file")
  func links() throws {
    try Fixture.commit(1, components: [("a", "same")], in: store.value)
    var builder = try store.value.beginGeneration(try Fixture.release(2))
    try builder.add(try Fixture.component("a", text: "same"), from: try store.value.reading.current())
    try builder.finish(in: store.value)
    let inodes = try ["1", "2"].map { number in
      try ChildProcess.run("stat", ["-c", "%i", "\(scratch.path)/generations/\(number)/maps/a/base.dat"])
        .output
    }
    #expect(inodes[0] == inodes[1])
  }

  /// Lays an index into staging beside a component that holds `text`.
  private func stageIndex(of text: String, index: String) throws {
    try scratch.write("staging/\(try Fixture.digest(text).hex).index.part", index)
    #expect(try store.value.staging.keepIndex(Fixture.digest(text)) == UInt64(index.utf8.count))
  }

  @Test("an index belongs to its component's file and goes with it from generation to generation")
  func indexes() throws {
    try stageIndex(of: "same", index: "index of same")
    try stageIndex(of: "old", index: "index of old")
    try Fixture.commit(1, components: [("a", "same"), ("b", "plain"), ("c", "old")], in: store.value)
    try store.value.staging.clear()
    try stageIndex(of: "new", index: "index of new")
    var builder = try store.value.beginGeneration(try Fixture.release(2))
    let current = try store.value.reading.current()
    try Fixture.stage("new", in: store.value)
    try Fixture.stage("first", in: store.value)
    try builder.add(try Fixture.component("Z", text: "first"), from: store.value.reading.staging)
    try builder.add(try Fixture.component("a", text: "same"), from: current)
    try builder.add(try Fixture.component("b", text: "plain"), from: current)
    try builder.add(try Fixture.component("c", text: "new"), from: store.value.reading.staging)
    try builder.finish(in: store.value)
    try store.value.switchCurrent(to: 2)
    #expect(try scratch.read("current/maps/a/base.index") == Array("index of same".utf8))
    #expect(try scratch.read("current/maps/c/base.index") == Array("index of new".utf8))
    #expect(try scratch.names("current/maps/b") == ["base.dat"])
    let next = try store.value.reading.current()
    var manifest = try next.manifest()
    var sizes: [UInt64?] = []
    while let component = try manifest.next() {
      sizes.append(component.index?.size)
      #expect(try next.isIntact(component) && next.isIndexIntact(component))
    }
    #expect(sizes == [nil, 13, nil, 12])
    var damaged = try Fixture.component("a", text: "same")
    damaged.index = InstalledIndex(size: 13, digest: try Fixture.digest("another"))
    #expect(try next.isIntact(damaged) && !next.isIndexIntact(damaged))
  }

  @Test("what an index command leaves beside its output goes, and other files stay")
  func partialIndexes() throws {
    let digest = try Fixture.digest("x")
    for name in [".part", ".index", ".index.part", ".index.part-journal", ".index.log"] {
      try scratch.write("staging/\(digest.hex)\(name)", "x")
    }
    try scratch.write("staging/other.index.part", "x")
    try store.value.staging.removePartialIndexes(digest)
    #expect(
      try scratch.names("staging").sorted()
        == ["\(digest.hex).index", "\(digest.hex).part", "other.index.part"].sorted())
    #expect(try store.value.staging.keepIndex(digest) == nil)
  }

  @Test("a generation that a reader holds survives the cleaning, and goes with the next")
  func held() throws {
    try Fixture.commit(1, in: store.value)
    do {
      let reader = try Store(opening: scratch.path)
      let held = try reader.current()
      try held.hold()
      try Fixture.commit(2, in: store.value)
      try Fixture.commit(3, in: store.value)
      #expect(try scratch.names("generations") == ["1", "2", "3"])
      #expect(try held.isIntact(try Fixture.component("a", text: "alpha")))
    }
    try Fixture.commit(4, in: store.value)
    #expect(try scratch.names("generations") == ["3", "4"])
  }

  @Test("a generation that is being removed cannot be locked until it is gone")
  func lockedWhileRemoved() throws {
    try Fixture.commit(1, in: store.value)
    // Enough that its removal takes a while.
    for number in 1...1000 { try scratch.write("generations/1/maps/a/\(number)", "x") }
    try Fixture.commit(2, in: store.value)
    let late = LateReader("\(scratch.path)/generations", name: "1")
    try late.during { try Fixture.commit(3, in: store.value) }
    #expect(late.finding == .success(true))
    #expect(try scratch.names("generations") == ["2", "3"])
  }

  @Test("a reader that holds what is current holds it whole, however often it is replaced meanwhile")
  func holdCurrent() throws {
    #expect(try Fixture.number(of: store.value.reading.holdCurrent()) == nil)
    try Fixture.commit(1, in: store.value)
    let reader = try Store(opening: scratch.path)
    let held = try reader.holdCurrent()
    for release in 2...4 as ClosedRange<UInt64> { try Fixture.commit(release, in: store.value) }
    #expect(held.number == 1)
    #expect(try held.isIntact(try Fixture.component("a", text: "alpha")))
    #expect(try Fixture.number(of: reader.holdCurrent()) == 4)
  }

  @Test(
    "a current generation that another process has locked for itself is busy, one that is missing an error")
  func holdCurrentRefused() throws {
    try Fixture.commit(1, in: store.value)
    let path = "\(scratch.path)/generations/1"
    do {
      let stranger = try Directory(opening: path)
      try stranger.lock(.exclusive)
      let error = Fixture.error { () throws(Failure) in
        _ = try Fixture.number(of: store.value.reading.holdCurrent())
      }
      #expect(error == .busy(path: path))
    }
    try Directory(opening: scratch.path).removeTree("generations/1")
    let error = Fixture.error { () throws(Failure) in
      _ = try Fixture.number(of: store.value.reading.holdCurrent())
    }
    #expect(error == Failure(.noEntry, path: path))
  }

  @Test("the empty generation is current where nothing is installed; it has no release, and nothing is in it")
  func emptyGeneration() throws {
    let empty = try store.value.reading.current()
    let component = try Fixture.component("a", text: "alpha")
    #expect(Fixture.number(of: empty) == nil)
    #expect(try empty.release() == nil)
    let isListed = try empty.components() != nil
    #expect(!isListed)
    #expect(try !empty.hasFile(component) && !empty.hasFiles(component))
    #expect(try !empty.isIntact(component) && empty.hasIntactParts())
    #expect(try empty.status(of: component) == nil)
    try empty.remove(component)
    #expect(Fixture.error { () throws(Failure) in _ = try empty.openCatalog() } != nil)
    try Fixture.commit(1, in: store.value)
    #expect(try Fixture.number(of: store.value.reading.current()) == 1)
  }

  @Test("a component that is damaged, cut or missing is not intact")
  func damaged() throws {
    try Fixture.commit(
      1, components: [("a", "alpha"), ("b", "beta"), ("c", "gamma"), ("d", "delta")], in: store.value)
    try scratch.write("generations/1/maps/b/base.dat", "bete")
    try scratch.write("generations/1/maps/c/base.dat", "gam")
    try Directory(opening: scratch.path).remove("generations/1/maps/d/base.dat")
    let current = try store.value.reading.current()
    #expect(try current.isIntact(try Fixture.component("a", text: "alpha")))
    #expect(try !current.isIntact(try Fixture.component("b", text: "beta")))
    #expect(try !current.isIntact(try Fixture.component("c", text: "gamma")))
    #expect(try !current.isIntact(try Fixture.component("d", text: "delta")))
  }

  @Test("giving up the way back removes everything but what is current and what readers hold")
  func confirm() throws {
    for release in 1...3 as ClosedRange<UInt64> { try Fixture.commit(release, in: store.value) }
    let reader = try Store(opening: scratch.path)
    do {
      guard let held = try reader.previous() else { throw NothingIsCurrent() }
      try held.hold()
      #expect(try !store.value.removeOtherGenerations())
      #expect(try scratch.names("generations") == ["2", "3"])
    }
    #expect(try store.value.removeOtherGenerations())
    #expect(try scratch.names("generations") == ["3"])
    #expect(try Fixture.previousNumber(store.value) == nil)
    #expect(try !store.value.removeOtherGenerations())
  }

  @Test("after a rollback it frees what was rolled back from, whose number is not given again")
  func confirmRollback() throws {
    for release in 1...3 as ClosedRange<UInt64> { try Fixture.commit(release, in: store.value) }
    try store.value.switchCurrent(to: 2)
    #expect(try store.value.removeOtherGenerations())
    #expect(try scratch.names("generations") == ["2", "3"])
    #expect(try scratch.names("generations/3") == [])
    #expect(try !store.value.removeOtherGenerations())
    #expect(try Fixture.commit(4, in: store.value) == 4)
    #expect(try scratch.names("generations") == ["2", "4"])
  }

  /// What can happen to a manifest.
  enum Loss: CaseIterable { case missing, damaged, directory, link }

  @Test(
    "without its manifest the current generation is lost, and the way back is still there",
    arguments: Loss.allCases)
  func lostManifest(loss: Loss) throws {
    for release in 1...3 as ClosedRange<UInt64> { try Fixture.commit(release, in: store.value) }
    // A rollback never goes to a newer one.
    _ = try Fixture.build(9, components: [("a", "alpha")], in: store.value)
    #expect(try !store.value.reading.isCurrentLost())
    let manifest = "generations/3/manifest"
    let root = try Directory(opening: scratch.path)
    if loss == .damaged { try scratch.write(manifest, "x") } else { try root.remove(manifest) }
    if loss == .directory { try scratch.makeDirectory(manifest) }
    if loss == .link { try root.makeSymbolicLink(manifest, to: "../2/manifest") }
    let error = Fixture.error { () throws(Failure) in _ = try store.value.reading.currentRelease() }
    #expect(
      error == .badManifest(path: "\(scratch.path)/\(manifest)", line: loss == .damaged ? 1 : 0))
    #expect(error?.sentence.contains(loss == .damaged ? "damaged (line 1)" : "missing") == true)
    #expect(try store.value.reading.isCurrentLost())
    #expect(try Fixture.previousNumber(store.value) == 2)
    // It is not given up by mistake.
    let refusal = Fixture.error { () throws(Failure) in _ = try store.value.removeOtherGenerations() }
    #expect(refusal == error)
    #expect(try Fixture.previousNumber(store.value) == 2)
  }

  @Test("a generation that is a file is lost")
  func fileGeneration() throws {
    try Fixture.commit(1, in: store.value)
    let root = try Directory(opening: scratch.path)
    try root.removeTree("generations/1")
    #expect(try store.value.reading.isCurrentLost())
    try scratch.write("generations/1", "x")
    #expect(try store.value.reading.isCurrentLost())
    #expect(try Fixture.commit(2, in: store.value) == 2)
  }

  @Test("what is staged under a digest and linked is the component of the manifest")
  func manifest() throws {
    try Fixture.commit(5, components: [("a", "alpha"), ("b", "beta")], in: store.value)
    let current = try store.value.reading.current()
    var manifest = try current.manifest()
    #expect(try manifest.next() == Fixture.component("a", text: "alpha"))
    #expect(try manifest.next() == Fixture.component("b", text: "beta"))
    #expect(try manifest.next() == nil)
    #expect(try manifest.next() == nil)
  }

  @Test("a component that is not in staging is an error that names where it should be")
  func notStaged() throws {
    var builder = try store.value.beginGeneration(try Fixture.release(1))
    let component = try Fixture.component("a", text: "nowhere")
    let error = Fixture.error { () throws(Failure) in
      try builder.add(component, from: store.value.reading.staging)
    }
    let path = "\(scratch.path)/generations/1.new/maps/a/base.dat"
    #expect(error == Failure(.noEntry, path: path))
  }
}

/// A reader that has opened a generation and gets to lock it only when its removal has begun.
private final class LateReader: Sendable {
  private let path: String
  private let name: String
  private let state = Mutex(Result<Bool, Failure>.success(false))

  init(_ path: String, name: String) {
    self.path = path
    self.name = name
  }

  /// It was kept out, or found nothing any more.
  var finding: Result<Bool, Failure> { state.withLock { $0 } }

  func during(_ body: () throws -> Void) rethrows {
    let (opened, finished) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      let result = Result { () throws(Failure) in try self.look { opened.signal() } }
      self.state.withLock { $0 = result }
      for semaphore in [opened, finished] { semaphore.signal() }
    }
    opened.wait()
    defer { finished.wait() }
    try body()
  }

  private func look(_ opened: () -> Void) throws(Failure) -> Bool {
    let generations = try Directory(opening: path)
    let generation = try generations.openDirectory(name)
    opened()
    while try generations.status(of: name) != nil {}
    do throws(Failure) { try generation.lock(.shared) } catch {
      guard error.errno == .wouldBlock else { throw error }
      return true
    }
    var names = 0
    try generation.forEachName { _ in names += 1 }
    return names == 0
  }
}
