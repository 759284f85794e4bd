import Crypto
import DeltaCreate
import DeltaTestSupport
import PatchFormat
import Platform
import TestSupport
import Testing

@testable import Publisher

@Suite("Opening of a patch")
struct PatchOpeningTests {
  @Test("what is read of a patch's front is what was made")
  func opening() throws {
    let (old, new) = ([UInt8](repeating: 7, count: 2000), (0...255).map(UInt8.init) + [7, 7])
    var options = PatchMaker.Options()
    options.payloadSize = 90
    let patch = try PatchMaker(options).make(old: old.span, new: new.span)
    let scratch = try Scratch("opening")
    try scratch.write("patch", patch.bytes)
    let file = try File(opening: "\(scratch.path)/patch")
    let opening = try PatchOpening(readingFrom: file)
    #expect(opening.head == patch.head)
    #expect(opening.digest == patch.headDigest)
    let second = try PatchFrame(readingFrom: file, at: opening.size, head: opening.head)
    #expect(try opening.next == Hasher.digest(of: second.bytes.span.bytes))
  }
}
