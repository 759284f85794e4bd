import CodecEncoding
import DeltaTestSupport
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("Models of LZMA")
struct LZMAModelTests {
  /// Records of two 32-bit numbers that grow slowly.
  private static func numbers() -> [UInt8] {
    var random = SeededGenerator(6)
    var (x, y) = (UInt32(1_000_000), UInt32(7_000_000))
    return (0..<5000).flatMap { _ in
      x &+= UInt32.random(in: 0...300, using: &random)
      y &+= UInt32.random(in: 0...70_000, using: &random)
      return [x, y].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }
  }

  @Test("arrays of numbers are compressed by a model that counts positions")
  func numbers() throws {
    let bytes = Self.numbers()
    func size(_ models: [LZMAModel]) throws -> Int {
      var options = PatchMaker.Options()
      options.models = models
      return try PatchMaker(options).make(old: [UInt8]().span, new: bytes.span).bytes.count
    }
    let models = PatchMaker.Options().models
    let chosen = try size(models)
    let first = try size([models[0]])
    #expect(chosen * 20 < first * 19, "\(chosen) and \(first)")
    let smallest = try #require(try models.map { try size([$0]) }.min())
    #expect(chosen * 100 <= smallest * 101)
  }
}
