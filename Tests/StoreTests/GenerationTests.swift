import Crypto
import Platform
import TestSupport
import Testing

@testable import Store

@Suite("Generations")
struct GenerationTests {
  private let scratch: Scratch
  private let store: StoreBox

  /// A store has no copies, a test suite does.
  final class StoreBox {
    let value: Store
    init(_ path: String) throws { value = try Store(opening: path, for: .change) }
  }

  init() throws {
    scratch = try Scratch("store")
    store = try StoreBox(scratch.path)
  }

  @Test("a new store is empty")
  func empty() throws {
    #expect(try Fixture.currentNumber(store.value) == nil)
    #expect(try store.value.currentHead() == nil)
    #expect(try Fixture.previousNumber(store.value) == nil)
    #expect(try scratch.names() == ["generations", "staging"])
  }

  @Test("a generation is invisible until it is switched to, then it has the next number")
  func commit() throws {
    try Fixture.commit(1, in: store.value)
    let number = try Fixture.build(2, [("a", "beta"), ("b/c", "gamma")], in: store.value)
    #expect(number == 2)
    #expect(try Fixture.currentNumber(store.value) == 1)
    try store.value.switchCurrent(to: number)
    #expect(try Fixture.currentNumber(store.value) == 2)
    #expect(try store.value.currentHead()?.releaseNumber == 2)
    #expect(try store.value.currentHead()?.previous == 1)
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
    try Fixture.commit(1, [("a", "old")], in: store.value)
    let orphan = try Fixture.build(2, [("a", "new")], in: store.value)
    let number = try Fixture.build(2, [("a", "new")], in: store.value)
    try store.value.switchCurrent(to: number)
    #expect([orphan, number] == [2, 3])
    #expect(try Fixture.previousNumber(store.value) == 1)
    try store.value.removeStaleGenerations()
    #expect(try scratch.names("generations") == ["1", "3"])
  }

  @Test("a rollback is the same switch backwards, and its number is not given again")
  func rollBack() throws {
    try Fixture.commit(1, [("a", "old")], in: store.value)
    try Fixture.commit(2, [("a", "new")], in: store.value)
    try store.value.switchCurrent(to: 1)
    #expect(try scratch.read("current/maps/a/base.dat") == Array("old".utf8))
    #expect(try Fixture.previousNumber(store.value) == nil)
    #expect(try Fixture.commit(2, in: store.value) == 3)
    #expect(try scratch.names("generations") == ["1", "3"])
  }

  @Test("components that stay are hard links to the same file")
  func links() throws {
    try Fixture.commit(1, [("a", "same")], in: store.value)
    var builder = try store.value.beginGeneration(try Fixture.head(2))
    switch try store.value.current() {
    case .some(let current): try builder.add(try Fixture.component("a", "same"), from: current)
    case .none: Issue.record("nothing is current")
    }
    try builder.finish(in: store.value)
    let inodes = try ["1", "2"].map { number in
      try ChildProcess.run("stat", ["-c", "%i", "\(scratch.path)/generations/\(number)/maps/a/base.dat"])
        .output
    }
    #expect(inodes[0] == inodes[1])
  }

  /// Lays an index into staging beside a component that holds `text`.
  private func stageIndex(of text: String, _ index: String) throws {
    try scratch.write("staging/\(try Fixture.digest(text).hex).index.part", index)
    #expect(try store.value.staging.keepIndex(Fixture.digest(text)) == UInt64(index.utf8.count))
  }

  @Test("an index belongs to its component's file and goes with it from generation to generation")
  func indexes() throws {
    try stageIndex(of: "same", "index of same")
    try stageIndex(of: "old", "index of old")
    try Fixture.commit(1, [("a", "same"), ("b", "plain"), ("c", "old")], in: store.value)
    try store.value.staging.clear()
    try stageIndex(of: "new", "index of new")
    var builder = try store.value.beginGeneration(try Fixture.head(2))
    guard let current = try store.value.current() else { throw NothingIsCurrent() }
    try Fixture.stage("new", in: store.value)
    try Fixture.stage("first", in: store.value)
    try builder.add(try Fixture.component("Z", "first"), from: store.value.staging)
    try builder.add(try Fixture.component("a", "same"), from: current)
    try builder.add(try Fixture.component("b", "plain"), from: current)
    try builder.add(try Fixture.component("c", "new"), from: store.value.staging)
    try builder.finish(in: store.value)
    try store.value.switchCurrent(to: 2)
    #expect(try scratch.read("current/maps/a/base.index") == Array("index of same".utf8))
    #expect(try scratch.read("current/maps/c/base.index") == Array("index of new".utf8))
    #expect(try scratch.names("current/maps/b") == ["base.dat"])
    guard let next = try store.value.current() else { throw NothingIsCurrent() }
    var manifest = try next.manifest()
    var sizes: [UInt64?] = []
    while let component = try manifest.next() {
      sizes.append(component.index?.size)
      #expect(try next.isIntact(component) && next.isIndexIntact(component))
    }
    #expect(sizes == [nil, 13, nil, 12])
    var damaged = try Fixture.component("a", "same")
    damaged.index = InstalledIndex(size: 13, digest: try Fixture.digest("another"))
    #expect(try next.isIntact(damaged) && !next.isIndexIntact(damaged))
  }

  @Test("what an index command leaves beside its output goes, and other files stay")
  func indexBeginnings() throws {
    let digest = try Fixture.digest("x")
    for name in [".part", ".index", ".index.part", ".index.part-journal", ".index.log"] {
      try scratch.write("staging/\(digest.hex)\(name)", "x")
    }
    try scratch.write("staging/other.index.part", "x")
    try store.value.staging.removeIndexBeginnings(digest)
    #expect(
      try scratch.names("staging").sorted()
        == ["\(digest.hex).index", "\(digest.hex).part", "other.index.part"].sorted())
    #expect(try store.value.staging.keepIndex(digest) == nil)
  }

  @Test("a generation that a reader holds survives the cleaning, and goes with the next")
  func held() throws {
    try Fixture.commit(1, in: store.value)
    do {
      let reader = try Store(opening: scratch.path, for: .read)
      guard let held = try reader.current() else { throw NothingIsCurrent() }
      try held.hold()
      try Fixture.commit(2, in: store.value)
      try Fixture.commit(3, in: store.value)
      #expect(try scratch.names("generations") == ["1", "2", "3"])
      #expect(try held.isIntact(try Fixture.component("a", "alpha")))
    }
    try Fixture.commit(4, in: store.value)
    #expect(try scratch.names("generations") == ["3", "4"])
  }

  @Test("a component that is damaged, cut or missing is not intact")
  func damaged() throws {
    try Fixture.commit(1, [("a", "alpha"), ("b", "beta"), ("c", "gamma"), ("d", "delta")], in: store.value)
    try scratch.write("generations/1/maps/b/base.dat", "bete")
    try scratch.write("generations/1/maps/c/base.dat", "gam")
    try Directory(opening: scratch.path).remove("generations/1/maps/d/base.dat")
    guard let current = try store.value.current() else { throw NothingIsCurrent() }
    #expect(try current.isIntact(try Fixture.component("a", "alpha")))
    #expect(try !current.isIntact(try Fixture.component("b", "beta")))
    #expect(try !current.isIntact(try Fixture.component("c", "gamma")))
    #expect(try !current.isIntact(try Fixture.component("d", "delta")))
  }

  @Test("a generation that is begun twice begins afresh")
  func begunTwice() throws {
    try scratch.write("generations/1.new/maps/stale/base.dat", "stale")
    _ = try Fixture.build(1, [("a", "alpha")], in: store.value)
    #expect(try scratch.names("generations") == ["1"])
    #expect(try scratch.names("generations/1/maps") == ["a"])
  }

  @Test("what is staged under a digest and linked is the component of the manifest")
  func manifest() throws {
    try Fixture.commit(5, [("a", "alpha"), ("b", "beta")], in: store.value)
    guard let current = try store.value.current() else { throw NothingIsCurrent() }
    var manifest = try current.manifest()
    #expect(try manifest.next() == Fixture.component("a", "alpha"))
    #expect(try manifest.next() == Fixture.component("b", "beta"))
    #expect(try manifest.next() == nil)
    #expect(try manifest.next() == nil)
  }

  @Test("a component that is not in staging is an error that names where it should be")
  func notStaged() throws {
    var builder = try store.value.beginGeneration(try Fixture.head(1))
    let component = try Fixture.component("a", "nowhere")
    let error = Fixture.error { () throws(StoreError) in try builder.add(component, from: store.value.staging)
    }
    let path = "\(scratch.path)/generations/1.new/maps/a/base.dat"
    #expect(error == .file(FileError(.noEntry, path)))
  }
}
