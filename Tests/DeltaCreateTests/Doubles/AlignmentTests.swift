import PatchFormat
import Testing

@testable import DeltaCreate

@Suite("Alignments")
struct AlignmentTests {
  @Test("bytes within a reversed unit keep their order, units do not", arguments: [8, 16, 24, 32])
  func reversed(unit: Int) {
    // Units of the new file from 5 on; the one at 5 is the one at 1003 of the source.
    let alignment = Alignment.reversed(.old, unit: unit, at: 5, from: 1003)
    for number in 0..<6 {
      let start = 5 + number * unit
      for byte in 0..<unit {
        #expect(alignment.sourceOffset(of: start + byte) == 1003 - number * unit + byte)
      }
      #expect(alignment.boundary(from: start) == start)
      #expect(alignment.boundary(from: start + 1) == start + unit)
      // The unit before `start` was the last one made.
      #expect(alignment.cursor(after: start) == 1003 - (number - 1) * unit)
    }
  }

  @Test("an operation of a range says where its first unit comes from, and whether bytes differ")
  func operations() {
    let reversed = Alignment.reversed(.new, unit: 16, at: 100, from: 84)
    #expect(
      reversed.operation(116..<148, hasDifferences: true)
        == ScriptOperation(
          operation: .copyNewReversed(unit: 2, hasDifferences: true), new: 116, source: 68, length: 32))
    let forward = Alignment.forward(.old, shift: -7)
    #expect(
      forward.operation(10..<30, hasDifferences: true)
        == ScriptOperation(operation: .copyOld, new: 10, source: 3, length: 20))
  }
}
