import Crypto
import PatchFormat
import Testing

@Suite("Header of a frame")
struct FrameHeaderTests {
  private static let digest = Digest(hex: String(repeating: "cd", count: 32)) ?? Digest()

  @Test("the bytes are where the document says")
  func layout() {
    let digest = [UInt8](repeating: 0xcd, count: 32)
    #expect(FrameHeader(payloadSize: 1, start: nil, next: nil).encoded() == [0, 0, 0x80])
    #expect(
      FrameHeader(payloadSize: 0x12346, start: nil, next: Self.digest).encoded() == [0x45, 0x23, 1] + digest)
    #expect(
      FrameHeader(payloadSize: 1 << 20, start: 0x0605_0403_0201, next: Self.digest).encoded()
        == [0xff, 0xff, 0x4f] + digest + [1, 2, 3, 4, 5, 6])
    #expect(FrameHeader(payloadSize: 2, start: 3, next: nil).encoded() == [1, 0, 0xc0, 3, 0, 0, 0, 0, 0])
    #expect(
      FrameHeader(payloadSize: 1, start: nil, isSorted: true, next: Self.digest).encoded()
        == [0, 0, 0x20] + digest)
  }

  @Test("every header is parsed again, and no prefix of it is")
  func roundTrip() {
    for size in [1, 2, 256, 257, 65536, 65537, 1 << 20] as [UInt32] {
      for start in [nil, 0, 1, 1 << 32, 1 << 48 - 1] as [UInt64?] {
        for (next, isSorted) in [(nil, false), (nil, true), (Self.digest, false), (Self.digest, true)] {
          let header = FrameHeader(payloadSize: size, start: start, isSorted: isSorted, next: next)
          let bytes = header.encoded()
          #expect(FrameHeader(parsing: bytes.span.bytes) == header)
          #expect(bytes.count == 3 + (next == nil ? 0 : 32) + (start == nil ? 0 : 6))
          for count in bytes.indices {
            #expect(FrameHeader(parsing: bytes.span.bytes.extracting(0..<count)) == nil)
          }
        }
      }
    }
  }

  @Test("the reserved bit must be zero")
  func reserved() {
    for flags in [0, 0x20, 0x40, 0x80, 0xc0, 0xef] as [UInt8] {
      let bytes = [1, 0, flags | 0x10] + [UInt8](repeating: 0, count: 38)
      #expect(FrameHeader(parsing: bytes.span.bytes) == nil)
    }
  }
}
