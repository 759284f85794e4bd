import DeltaApply
import DeltaCreate
import DeltaTestSupport
import Platform
import TestSupport
import Testing

@Suite("Restart")
struct RestartTests {
  /// The fixture's files in a directory of their own.
  private struct Files {
    let fixture: Fixture
    let directory: Scratch

    init() throws {
      fixture = try Fixture()
      directory = try Scratch("restart")
      try directory.write("patch", fixture.patch.bytes)
      try directory.write("old", fixture.old)
    }

    func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    func apply(completed: UInt64, progress: (UInt64) -> Bool = { _ in true }) throws -> [UInt8] {
      let patch = try File(opening: path("patch"))
      let old: File? = try File(opening: path("old"))
      let output = try File(opening: path("new"), .update)
      _ = try applyPatch(
        from: patch, expectedHead: fixture.patch.headDigest, old: old, into: output, completed: completed,
        memoryLimit: 8 << 20, progress: progress)
      return try directory.read("new")
    }
  }

  @Test("from every completed size the same file is made")
  func everySize() throws {
    let files = try Files()
    for completed in 0...files.fixture.new.count {
      let begun = files.fixture.new[..<completed] + [0xee, 0xee]
      try files.directory.write("new", Array(begun))
      #expect(try files.apply(completed: UInt64(completed)) == files.fixture.new, "\(completed)")
    }
  }

  @Test("no more is kept than the output has")
  func shorterOutput() throws {
    let files = try Files()
    try files.directory.write("new", Array(files.fixture.new[..<10]))
    #expect(try files.apply(completed: .max) == files.fixture.new)
  }

  @Test("every restart point makes the rest of the file")
  func everyPoint() throws {
    let files = try Files()
    let patch = try File(opening: files.path("patch"))
    let head = files.fixture.patch.head
    var found: [RestartPoint] = []
    for completed in 0...UInt64(files.fixture.new.count) {
      let point = try RestartPoint.find(in: patch, head, completed: completed)
      #expect(point.completed <= completed)
      if point != found.last { found.append(point) }
    }
    #expect(found.count == Int(head.sectionCount))
    #expect(found.first == RestartPoint.first(of: head))
    for point in found {
      var applier = MemoryApplier(old: files.fixture.old)
      let rest = try applier.apply(
        files.fixture.patch.bytes, expectedHead: files.fixture.patch.headDigest, from: point)
      #expect(rest == Array(files.fixture.new[Int(point.completed)...]))
    }
  }

  @Test("a damaged patch gives no restart point behind the damage")
  func damaged() throws {
    let files = try Files()
    let all = UInt64(files.fixture.new.count)
    let patch = try File(opening: files.path("patch"))
    let last = Int(try RestartPoint.find(in: patch, files.fixture.patch.head, completed: all).containerOffset)
    for index in stride(from: PatchHead.size, to: last, by: 7) {
      var bytes = files.fixture.patch.bytes
      bytes[index] ^= 0x10
      try files.directory.write("damaged", bytes)
      let damaged = try File(opening: files.path("damaged"))
      #expect(throws: DeltaError.self) {
        _ = try RestartPoint.find(in: damaged, files.fixture.patch.head, completed: all)
      }
    }
  }

  @Test("a cancelled application can be taken up again")
  func cancelled() throws {
    let files = try Files()
    var written: UInt64 = 0
    #expect(throws: DeltaError.cancelled) {
      _ = try files.apply(completed: 0) { done in
        written = done
        return done < 1000
      }
    }
    #expect(written >= 1000)
    var first: UInt64?
    let result = try files.apply(completed: written) { done in
      if first == nil { first = done }
      return true
    }
    #expect(result == files.fixture.new)
    #expect(first ?? 0 > 1000)
  }

  @Test("an old file of another size is refused")
  func wrongOld() throws {
    let files = try Files()
    let size = UInt64(files.fixture.old.count)
    try files.directory.write("old", files.fixture.old + [1])
    #expect(throws: DeltaError.wrongOldFile(found: size + 1, expected: size)) {
      _ = try files.apply(completed: 0)
    }
    let patch = try File(opening: files.path("patch"))
    let output = try File(opening: files.path("new"), .update)
    #expect(throws: DeltaError.wrongOldFile(found: 0, expected: size)) {
      _ = try applyPatch(
        from: patch, expectedHead: files.fixture.patch.headDigest, old: nil, into: output,
        memoryLimit: 8 << 20)
    }
  }

  @Test("over the memory limit the output is left as it was")
  func memory() throws {
    let files = try Files()
    try files.directory.write("new", [1, 2, 3])
    let patch = try File(opening: files.path("patch"))
    let old: File? = try File(opening: files.path("old"))
    let output = try File(opening: files.path("new"), .update)
    let needed = files.fixture.patch.head.memoryNeeded
    #expect(throws: DeltaError.overMemory(needed: needed, allowed: 1000)) {
      _ = try applyPatch(
        from: patch, expectedHead: files.fixture.patch.headDigest, old: old, into: output, memoryLimit: 1000)
    }
    #expect(try files.directory.read("new") == [1, 2, 3])
  }
}
