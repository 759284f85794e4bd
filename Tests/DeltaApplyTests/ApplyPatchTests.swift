import DeltaApply
import DeltaCreate
import DeltaTestSupport
import PatchFormat
import Platform
import TestSupport
import Testing

@Suite("Patches in files")
struct ApplyPatchTests {
  private let fixture: Fixture
  private let directory: Scratch

  init() throws {
    fixture = try Fixture()
    directory = try Scratch("patches")
    try directory.write("patch", fixture.patch.bytes)
    try directory.write("old", fixture.old)
  }

  private func expectation(head: Bool = true) -> PatchExpectation {
    PatchExpectation(
      head: head ? fixture.patch.headDigest : nil,
      containerSize: head ? UInt64(fixture.patch.bytes.count) : nil,
      oldSize: UInt64(fixture.old.count), newSize: head ? UInt64(fixture.new.count) : nil)
  }

  private func apply(
    _ expectation: PatchExpectation, memoryLimit: UInt64 = 8 << 20,
    progress: @escaping (UInt64) -> Bool = { _ in true }
  ) throws -> PatchHead {
    let patch = try File(opening: "\(directory.path)/patch")
    let files = LocalPatchFiles(
      old: try File(opening: "\(directory.path)/old"),
      new: try File(opening: "\(directory.path)/new", to: .update),
      progress: progress)
    return try applyPatch(from: patch, expecting: expectation, files: files, memoryLimit: memoryLimit)
  }

  @Test("a patch makes the new file, with or without a known digest", arguments: [true, false])
  func files(isKnown: Bool) throws {
    #expect(try apply(expectation(head: isKnown)) == fixture.patch.head)
    #expect(try directory.read("new") == fixture.new)
  }

  @Test("progress is reported after each write, and false cancels")
  func cancelled() throws {
    var reported: [UInt64] = []
    #expect(throws: DeltaError.cancelled) {
      _ = try apply(expectation()) { done in
        reported.append(done)
        return done < 1000
      }
    }
    #expect(reported.count > 1 && reported == reported.sorted() && (reported.last ?? 0) >= 1000)
    // Each section was written when it ended.
    #expect(try directory.read("new") == Array(fixture.new[..<Int(reported.last ?? 0)]))
  }

  @Test("over the memory limit the output is left as it was")
  func memory() throws {
    try directory.write("new", [1, 2, 3])
    let needed = fixture.patch.head.memoryNeeded
    #expect(throws: DeltaError.overMemory(needed: needed, allowed: 1000)) {
      _ = try apply(expectation(), memoryLimit: 1000)
    }
    #expect(try directory.read("new") == [1, 2, 3])
  }

  @Test("an old file that is shorter than it was said to be is refused")
  func shortOld() throws {
    try directory.write("old", Array(fixture.old[..<1000]))
    let error = #expect(throws: DeltaError.self) { _ = try apply(expectation()) }
    guard case .wrongOldFile(1000, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
