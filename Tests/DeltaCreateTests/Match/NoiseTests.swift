import Codec
import CodecEncoding
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("Noise")
struct NoiseTests {
  private static func noise(_ seed: UInt64, _ count: Int = 300_000) -> [UInt8] {
    var random = SeededGenerator(seed)
    return random.bytes(count)
  }

  private func sharesNothing(_ old: [UInt8], _ new: [UInt8]) throws -> Bool {
    try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in Noise.sharesNothing(with: try SuffixArray(old), new) }
    }
  }

  private func patch(_ old: [UInt8], _ new: [UInt8]) throws -> PatchInMemory {
    let patch = try PatchMaker().make(old: old.span, new: new.span)
    var applier = MemoryApplier(old: old)
    #expect(try applier.apply(patch.bytes, expectedHead: patch.headDigest) == new)
    return patch
  }

  @Test("noise is bytes of all values, and enough of them")
  func isNoise() {
    func isNoise(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer(Noise.isNoise) }
    let noise = Self.noise(1)
    #expect(isNoise(noise))
    #expect(!isNoise(Array(noise.prefix(60_000))))
    #expect(!isNoise(noise.map { $0 & 0x7f }))
    #expect(!isNoise(noise[..<200_000] + [UInt8](repeating: 0, count: 4096) + noise[200_000...]))
  }

  @Test("two random files share nothing, and are stored in a patch")
  func random() throws {
    let (old, new) = (Self.noise(1), Self.noise(2))
    #expect(try sharesNothing(old, new))
    let patch = try patch(old, new)
    #expect(patch.bytes.count < new.count + new.count / 1000)
  }

  @Test(
    "a random file shares something with the old one if a kilobyte does",
    arguments: [300_000, 900_000, 5_000_000], [0, 1, 2, 3])
  func shared(size: Int, shift: Int) throws {
    let old = Self.noise(1, size)
    var new = Self.noise(2)
    new.replaceSubrange(100_000..<101_000, with: old[50_000 + shift..<51_000 + shift])
    #expect(try !sharesNothing(old, new))
  }

  @Test("a random file shares something with the old one if each eighth byte differs")
  func eighths() throws {
    let old = Self.noise(1)
    let new = old.enumerated().map { $0 % 8 == 3 ? $1 &+ 1 : $1 }
    #expect(try !sharesNothing(old, new))
    #expect(try patch(old, new).bytes.count < new.count / 20)
  }

  @Test("a file that is half random is patched as well as its other half")
  func half() throws {
    let old = Self.noise(1)
    let new = Self.noise(2, 150_000) + old[40_000..<120_000] + Self.noise(3, 2000) + old[200_000...]
    #expect(try patch(old, new).bytes.count < 152_000 + 1000)
  }

  @Test("a random file that has one piece twice is not stored")
  func repeated() throws {
    let piece = Self.noise(2, 200_000)
    #expect(try patch(Self.noise(1), piece + piece).bytes.count < 201_000)
  }
}
