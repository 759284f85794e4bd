import PatchFormat
import Testing

@testable import DeltaCreate

@Suite("Covers that pay")
struct CoverPruningTests {
  private let old = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }

  /// The new file is 1,000 bytes of the old one with other bytes in the middle.
  private func pruned(_ covers: [Cover], _ new: [UInt8]? = nil) -> [Cover] {
    old.withUnsafeBufferPointer { old in
      (new ?? Array(old[0..<1000])).withUnsafeBufferPointer { CoverPruning(old: old, new: $0).pruned(covers) }
    }
  }

  @Test("a few bytes from far away are left out, and what stands around them is joined")
  func farAway() {
    var new = Array(old[0..<1000])
    new[500...501] = old[150_000...150_001]
    let covers = [
      Cover(new: 0, old: 0, length: 500), Cover(new: 500, old: 150_000, length: 2),
      Cover(new: 502, old: 502, length: 498),
    ]
    #expect(pruned(covers, new) == [Cover(new: 0, old: 0, length: 1000)])
  }

  @Test("covers that are long, or cost next to nothing, stay")
  func worthIt() {
    let long = [
      Cover(new: 0, old: 0, length: 500), Cover(new: 500, old: 150_000, length: 17),
      Cover(new: 517, old: 517, length: 483),
    ]
    #expect(pruned(long) == long)
    let near = [Cover(new: 0, old: 0, length: 500), Cover(new: 510, old: 510, length: 9)]
    #expect(pruned(near) == near)
    #expect(pruned([]) == [])
  }

  @Test("covers of the same alignment are joined over a few bytes, not over many")
  func joined() {
    let few = [Cover(new: 0, old: 100, length: 50), Cover(new: 58, old: 158, length: 50)]
    #expect(pruned(few) == [Cover(new: 0, old: 100, length: 108)])
    let many = [Cover(new: 0, old: 100, length: 50), Cover(new: 59, old: 159, length: 50)]
    #expect(pruned(many) == many)
  }
}
