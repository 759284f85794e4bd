import CodecEncoding
import DeltaTestSupport
import Foundation
import TestSupport
import Testing

@testable import Codec

/// Runs `xz` over bytes.
private func xz(_ arguments: [String], input: [UInt8]) throws -> [UInt8] {
  let directory = try Scratch("xz")
  try directory.write("in", input)
  try directory.write("out", [])
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/xz")
  process.arguments = arguments
  process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: directory.path + "/in"))
  process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: directory.path + "/out"))
  try process.run()
  process.waitUntilExit()
  #expect(process.terminationStatus == 0)
  return try directory.read("out")
}

private let hasXZ = FileManager.default.isExecutableFile(atPath: "/usr/bin/xz")

/// Bytes with a name, which is what the log of a test run shows of them.
struct Sample: Sendable, CustomStringConvertible {
  let description: String
  let bytes: [UInt8]

  static let all: [Sample] = {
    var random = SeededGenerator(21)
    return [
      Sample(description: "nothing", bytes: []), Sample(description: "one byte", bytes: [1]),
      Sample(description: "a repeated word", bytes: Array("abcabcabcabc".utf8)),
      Sample(description: "zeros", bytes: [UInt8](repeating: 0, count: 100_000)),
      Sample(description: "random bytes", bytes: random.bytes(70_000)),
      Sample(description: "five values", bytes: random.bytes(200_000, values: 5)),
    ]
  }()
}

@Suite("Against the xz tool", .enabled(if: hasXZ, "xz is not installed: apt-get install xz-utils"))
struct XZToolTests {
  @Test("xz unpacks what LZMAEncoder packs", arguments: Sample.all)
  func encoder(sample: Sample) throws {
    let bytes = sample.bytes
    var encoder = try LZMAEncoder(xzPreset: 9, dictionarySize: 1 << 20)
    var packed: [UInt8] = []
    var taken = 0
    var room = [UInt8](repeating: 0, count: 1000)
    while !encoder.isFinished {
      var span = room.mutableSpan
      var output = span.mutableBytes
      let counts = try encoder.encode(bytes.span.bytes.extracting(taken...), into: &output, isLast: true)
      taken += counts.read
      packed += room[..<counts.written]
    }
    #expect(try xz(["-dc"], input: packed) == bytes)
  }

  @Test("XZDecoder unpacks what xz packs", arguments: Sample.all)
  func decoder(sample: Sample) throws {
    let bytes = sample.bytes
    let packed = try xz(["-c", "--lzma2=preset=6,dict=1MiB"], input: bytes)
    var decoder = try XZDecoder(memoryLimit: 4 << 20)
    var result: [UInt8] = []
    var taken = 0
    var room = [UInt8](repeating: 0, count: 1000)
    while !decoder.isFinished {
      var span = room.mutableSpan
      var output = span.mutableBytes
      let counts = try decoder.decode(packed.span.bytes.extracting(taken...), into: &output, isLast: true)
      taken += counts.read
      result += room[..<counts.written]
    }
    #expect(result == bytes)
    #expect(taken == packed.count)
  }

  @Test("xz unpacks what LZMAEncoder packs without a container", arguments: Sample.all)
  func rawEncoder(sample: Sample) throws {
    let bytes = sample.bytes
    for model in [LZMAModel(lc: 3, lp: 0, pb: 0), LZMAModel(lc: 0, lp: 2, pb: 2)] {
      let packed = try #require(
        try LZMAEncoder.encode(bytes.span.bytes, dictionarySize: 1 << 20, model: model))
      #expect(try xz(["-dc", "--format=raw", "--lzma2=dict=1MiB"], input: packed) == bytes)
    }
  }

  @Test("one LZMA2Decoder unpacks one after another what xz packs")
  func rawDecoder() throws {
    var decoder = try LZMA2Decoder(dictionarySize: 1 << 20)
    for bytes in Sample.all.map(\.bytes) {
      let packed = try xz(["-c", "--format=raw", "--lzma2=preset=9e,dict=1MiB,lc=1,pb=0"], input: bytes)
      var result: [UInt8] = []
      var taken = 0
      var room = [UInt8](repeating: 0, count: 777)
      while !decoder.isFinished {
        var span = room.mutableSpan
        var output = span.mutableBytes
        let piece = packed.span.bytes.extracting(taken..<min(taken + 500, packed.count))
        let counts = try decoder.decode(piece, into: &output)
        taken += counts.read
        result += room[..<counts.written]
      }
      #expect(result == bytes)
      #expect(taken == packed.count)
      try decoder.reset()
    }
  }
}

@Suite("LZMA2Decoder")
struct LZMA2DecoderTests {
  @Test("the bound holds for this liblzma", arguments: [4 << 10, 256 << 10, 1 << 20, 64 << 20] as [UInt32])
  func memory(dictionarySize: UInt32) {
    let bound = LZMA2Decoder.memoryNeeded(dictionarySize: dictionarySize)
    #expect(LZMA2Decoder.measuredMemory(dictionarySize: dictionarySize) <= bound)
  }

  @Test("damaged bytes are refused")
  func damaged() throws {
    var decoder = try LZMA2Decoder(dictionarySize: 4096)
    let bytes: [UInt8] = [0x7f, 1, 2, 3]
    var room = [UInt8](repeating: 0, count: 10)
    var span = room.mutableSpan
    var output = span.mutableBytes
    do throws(CodecError) {
      _ = try decoder.decode(bytes.span.bytes, into: &output)
      Issue.record("not refused")
    } catch { #expect(error == .corrupt) }
  }
}
