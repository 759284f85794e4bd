import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import Codec
@testable import DeltaCreate

@Suite("StreamPlan")
struct StreamPlanTests {
  @Test("little memory leaves streams out, from the end of the file on, and says of how many bytes")
  func memory() throws {
    var random = SeededGenerator(31)
    let parameters = try #require(DeflateParameters(level: 6, wrapper: .zlib))
    let contents = (0..<40).map { _ in random.bytes(300, values: 20) }
    let old = try contents.flatMap { try deflated($0, parameters) }
    let streams = try contents.map { try deflated($0.dropLast() + [99], parameters) }
    let new = Array(streams.joined())
    try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        var unsearched = 0
        let all = try StreamPlan(old: old, new: new, memory: .max, &unsearched)
        #expect(all?.streams.count == 40 && unsearched == 0)
        let ten = DeflateLimits.maximumExtents(memory: 10 << 10)
        let some = try StreamPlan(old: old, new: new, memory: 10 << 10, &unsearched)
        #expect(ten == 10 && some?.streams.count == ten)
        // The same number of streams of the old file is not searched.
        #expect(unsearched > 2 * 30 * 100 && unsearched < old.count + new.count)
      }
    }
  }
}
