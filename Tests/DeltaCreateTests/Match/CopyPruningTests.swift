import PatchFormat
import Testing

@testable import DeltaCreate

@Suite("Copies that pay")
struct CopyPruningTests {
  private let old = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }

  /// The new file is 1,000 bytes of the old one with other bytes in the middle.
  private func pruned(_ copies: [Copy], new: [UInt8]? = nil) -> [Copy] {
    old.withUnsafeBufferPointer { old in
      (new ?? Array(old[0..<1000])).withUnsafeBufferPointer { CopyPruning(old: old, new: $0).pruned(copies) }
    }
  }

  @Test("a copy of a few distant bytes is dropped, and its neighbours are joined")
  func farAway() {
    var new = Array(old[0..<1000])
    new[500...501] = old[150_000...150_001]
    let copies = [
      Copy(new: 0, old: 0, length: 500), Copy(new: 500, old: 150_000, length: 2),
      Copy(new: 502, old: 502, length: 498),
    ]
    #expect(pruned(copies, new: new) == [Copy(new: 0, old: 0, length: 1000)])
  }

  @Test("copies that are long, or cost next to nothing, stay")
  func worthIt() {
    let long = [
      Copy(new: 0, old: 0, length: 500), Copy(new: 500, old: 150_000, length: 17),
      Copy(new: 517, old: 517, length: 483),
    ]
    #expect(pruned(long) == long)
    let near = [Copy(new: 0, old: 0, length: 500), Copy(new: 510, old: 510, length: 9)]
    #expect(pruned(near) == near)
    #expect(pruned([]) == [])
  }

  @Test("copies of the same alignment are joined over a few bytes, not over many")
  func joined() {
    let few = [Copy(new: 0, old: 100, length: 50), Copy(new: 58, old: 158, length: 50)]
    #expect(pruned(few) == [Copy(new: 0, old: 100, length: 108)])
    let many = [Copy(new: 0, old: 100, length: 50), Copy(new: 59, old: 159, length: 50)]
    #expect(pruned(many) == many)
  }
}
