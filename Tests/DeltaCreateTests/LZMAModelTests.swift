import DeltaTestSupport
import TestSupport
import Testing

@testable import CodecEncoding

@Suite("Models of LZMA")
struct LZMAModelTests {
  private static let models = [
    (3, 0, 0), (4, 0, 0), (1, 0, 1), (3, 0, 2), (2, 2, 2), (0, 2, 2), (0, 3, 3), (0, 0, 0),
  ]
  .map { LZMAModel(lc: $0, lp: $1, pb: $2) }

  private static func text(_ random: inout SeededGenerator) -> [UInt8] {
    let words = (0..<300).map { _ in
      (0..<Int.random(in: 2...9, using: &random)).map { _ in UInt8.random(in: 97...122, using: &random) }
    }
    return (0..<6000).flatMap { _ in words[Int(random.next() % 300)] + [32] }
  }

  /// Records of two 32-bit numbers that grow slowly.
  private static func numbers(_ random: inout SeededGenerator) -> [UInt8] {
    var (x, y) = (UInt32(1_000_000), UInt32(7_000_000))
    return (0..<5000).flatMap { _ in
      x &+= UInt32.random(in: 0...300, using: &random)
      y &+= UInt32.random(in: 0...70_000, using: &random)
      return [x, y].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }
  }

  private static func packets(_ bytes: [UInt8], _ model: LZMAModel) throws -> LZMAPackets {
    try LZMAEncoder.packets(bytes, dictionarySize: 1 << 20, model: model)
  }

  @Test("the packets of a stream make its bytes, whatever the model", arguments: 0..<models.count)
  func packets(number: Int) throws {
    var random = SeededGenerator(UInt64(number))
    let bytes = Self.text(&random) + random.bytes(300_000) + Self.numbers(&random) + [7]
    let packets = try Self.packets(bytes, Self.models[number])
    var made: [UInt8] = []
    for packet in packets.all {
      switch packet.kind {
      case .literal, .uncompressed: made += bytes[made.count..<made.count + packet.length]
      default: for _ in 0..<packet.length { made.append(made[made.count - packet.distance]) }
      }
    }
    #expect(made == bytes)
    #expect(Set(packets.all.map(\.kind)).count >= 5, "not all kinds of packets")
    #expect(packets.all.contains { $0.kind == .uncompressed })
  }

  @Test("a stream of other bytes, or a damaged one, has no packets")
  func damaged() throws {
    var random = SeededGenerator(5)
    let (bytes, model) = (Self.text(&random), Self.models[0])
    let stream = try #require(try LZMAEncoder.encode(bytes.span.bytes, dictionarySize: 1 << 20, model: model))
    #expect(LZMAPackets(of: stream, bytes: bytes, model: model) != nil)
    #expect(LZMAPackets(of: stream, bytes: bytes, model: Self.models[1]) == nil)
    #expect(LZMAPackets(of: stream, bytes: bytes.dropLast() + [0], model: model) == nil)
    #expect(LZMAPackets(of: stream, bytes: Array(bytes.dropLast()), model: model) == nil)
    for _ in 0..<300 {
      var damaged = stream
      damaged[Int.random(in: 0..<stream.count - 1, using: &random)] ^= UInt8.random(
        in: 1...255, using: &random)
      _ = LZMAPackets(of: damaged, bytes: bytes, model: model)
      _ = LZMAPackets(
        of: Array(stream.prefix(Int.random(in: 0..<stream.count, using: &random))), bytes: bytes, model: model
      )
    }
  }

  @Test(
    "the model with which packets cost least compresses nearly as well as the best", arguments: [true, false])
  func best(isText: Bool) throws {
    var random = SeededGenerator(6)
    let bytes = isText ? Self.text(&random) : Self.numbers(&random)
    let packets = try Self.packets(bytes, Self.models[0])
    let costs = LZMAModelCost.of(packets, bytes: bytes, models: Self.models)
    let sizes = try Self.models.map {
      try LZMAEncoder.estimate(bytes.span.bytes, dictionarySize: 1 << 20, model: $0)
    }
    let cheapest = try #require(costs.indices.min { costs[$0] < costs[$1] })
    let least = try #require(sizes.min())
    #expect(sizes[cheapest] * 100 <= least * 101, "\(sizes) bytes, costs of \(costs)")
    // Costs are bits: of two models they differ about as much as the sizes.
    let (first, last) = (0, isText ? 6 : 3)
    let (cost, size) = (Double(costs[last] - costs[first]) / 128, Double(sizes[last] - sizes[first]))
    #expect(abs(cost - size) < abs(size) / 3, "\(cost) and \(size)")
  }
}
