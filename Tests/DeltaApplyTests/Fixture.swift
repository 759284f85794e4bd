import DeltaCreate
import DeltaTestSupport
import PatchFormat
import TestSupport

/// A small patch of several sections, frames and blocks.
struct Fixture {
  let old: [UInt8]
  let new: [UInt8]
  let patch: PatchInMemory

  /// Other seeds give other files, of the same sizes.
  init(seed: UInt64 = 77) throws {
    var random = SeededGenerator(seed)
    let old = random.bytes(2000, values: 60)
    var new = Array(old[700...]) + random.bytes(150) + Array(old[..<900])
    for index in stride(from: 50, to: new.count, by: 61) { new[index] &+= 3 }
    var options = PatchMaker.Options()
    options.blockSize = 512
    options.payloadSize = 90
    options.sectionSize = 120
    options.sectionOutput = 600
    patch = try PatchMaker(options).make(old: old.span, new: new.span)
    self.old = old
    self.new = new
  }
}
