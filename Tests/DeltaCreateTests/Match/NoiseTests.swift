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

  private func sharesNothing(_ old: [UInt8], _ new: [UInt8]) -> Bool {
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in Noise.sharesNothing(old: old, new: new) }
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
    #expect(sharesNothing(old, new))
    let patch = try patch(old, new)
    #expect(patch.bytes.count < new.count + new.count / 1000)
  }

  @Test("a random file shares something with the old one if 200 bytes do", arguments: [0, 1, 7])
  func shared(shift: Int) {
    let old = Self.noise(1)
    var new = Self.noise(2)
    new.replaceSubrange(100_000..<100_200, with: old[50_000 + shift..<50_200 + shift])
    #expect(!sharesNothing(old, new))
  }

  @Test(
    "shared bytes are found at both ends of a file, though not all of its offsets are known",
    arguments: [10, 270_000])
  func part(offset: Int) {
    let old = Self.noise(1)
    var new = Self.noise(2)
    new.replaceSubrange(100_000..<120_000, with: old[offset..<offset + 20_000])
    let sharesNothing = old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in Noise.sharesNothing(old: old, new: new, mostBits: 12) }
    }
    #expect(!sharesNothing)
  }

  @Test("a random file shares something with the old one if each eighth byte differs")
  func eighths() throws {
    let old = Self.noise(1)
    let new = old.enumerated().map { $0 % 8 == 3 ? $1 &+ 1 : $1 }
    #expect(!sharesNothing(old, new))
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

  @Test("of streams, the bytes that the old file has nowhere are counted", arguments: [0, 1, 2])
  func unshared(halves: Int) throws {
    var generator = SeededGenerator(7)
    let half = 50_000
    let old = (0..<4 * half).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    var new = (0..<2 * half).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    new.replaceSubrange(0..<halves * half, with: old[half..<(1 + halves) * half])
    let stream = DeflateStream(
      extents: [0..<2 * half], contentSize: 4 * half, wrapper: .raw, parameters: nil)
    let unshared = old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { Noise.unsharedBytes(of: [stream], in: $0, old: old) }
    }
    // An estimate: what is pushed out of the table is not spread evenly.
    #expect(abs(unshared - (2 - halves) * half) < half / 5)
  }
}
