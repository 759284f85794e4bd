import Crypto
import PatchFormat
import Testing

/// Random heads, frame headers and checkpoints are parsed again; each argument is a seed.
@Suite("Heads and frames")
struct HeadFormatTests {
  private static let seeds = 1...30 as ClosedRange<UInt64>

  private static func digest(_ random: inout RandomValues) -> Digest {
    Digest(random.bytes(Digest.size).span.bytes) ?? Digest()
  }

  private static func head(_ random: inout RandomValues) -> PatchHead {
    let old = random.int(0...2) == 0 ? nil : (max(1, random.number(bits: 48)), digest(&random))
    return PatchHead(
      old: old, new: (random.number(bits: 48), digest(&random)),
      shape: .init(
        dictionarySize: UInt32(random.int(0...64 << 20)), maximumPayload: UInt32(random.int(1...1 << 20)),
        maximumBlock: UInt32(random.int(1...4 << 20)), maximumContent: UInt32(random.int(0...4 << 20))))
  }

  @Test(
    "a head is parsed again, no prefix of it is, and a changed byte is refused or changes the head",
    arguments: seeds)
  func head(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    let head = Self.head(&random)
    let bytes = head.encoded()
    #expect(bytes.count <= PatchHead.maximumSize)
    #expect(try PatchHead(parsing: bytes.span.bytes) == head, "seed \(seed)")
    for count in bytes.indices {
      let error = count < 4 ? PatchFormatError.truncated(at: UInt64(count)) : .badHead(.size)
      #expect(throws: error, "seed \(seed), prefix of \(count)") {
        _ = try PatchHead(parsing: bytes.span.bytes.extracting(0..<count))
      }
    }
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        do throws(PatchFormatError) {
          #expect(try PatchHead(parsing: changed.span.bytes) != head, "seed \(seed), byte \(index)")
        } catch {
          #expect(index >= 3 || error == .notAPatch, "seed \(seed), byte \(index)")
        }
      }
    }
  }

  @Test("a frame header is parsed again, no prefix of it is, and a changed bit changes it", arguments: seeds)
  func frameHeader(seed: UInt64) {
    var random = RandomValues(seed: seed)
    let header = FrameHeader(
      payloadSize: UInt32(random.int(1...1 << 20)),
      start: random.int(0...1) == 0 ? nil : random.number(bits: 48),
      next: random.int(0...1) == 0 ? nil : Self.digest(&random))
    let bytes = header.encoded()
    #expect(bytes.count <= FrameHeader.maximumSize && bytes.count == FrameHeader.size(of: bytes.span.bytes))
    #expect(FrameHeader(parsing: bytes.span.bytes) == header, "seed \(seed)")
    for count in bytes.indices {
      #expect(FrameHeader(parsing: bytes.span.bytes.extracting(0..<count)) == nil, "seed \(seed)")
    }
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        #expect(FrameHeader(parsing: changed.span.bytes) != header, "seed \(seed), byte \(index)")
      }
    }
  }

  @Test(
    "a checkpoint is parsed again, and with a changed bit or a missing byte it is refused", arguments: seeds)
  func checkpoint(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    let checkpoint = Checkpoint(
      containerOffset: random.number(), completed: random.number(), frame: Self.digest(&random),
      head: Self.head(&random))
    let bytes = try checkpoint.encoded()
    #expect(Checkpoint(parsing: bytes.span.bytes) == checkpoint, "seed \(seed)")
    for index in bytes.indices {
      #expect(Checkpoint(parsing: bytes.span.bytes.extracting(0..<index)) == nil, "seed \(seed)")
      var changed = bytes
      changed[index] ^= 1 << UInt8(random.int(0...7))
      #expect(Checkpoint(parsing: changed.span.bytes) == nil, "seed \(seed), byte \(index)")
    }
  }

  @Test("a dictionary is rounded up to a code, and no further than by a half", arguments: seeds)
  func dictionary(seed: UInt64) {
    var random = RandomValues(seed: seed)
    let size = UInt32(random.int(6 << 10...64 << 20))
    let rounded = DictionaryCode.rounded(size)
    #expect(rounded >= size && UInt64(rounded) * 2 <= UInt64(size) * 3, "seed \(seed)")
    #expect(DictionaryCode.rounded(rounded) == rounded, "seed \(seed)")
  }
}
