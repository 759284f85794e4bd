import Crypto
import Platform
import Testing

@Suite("Hexadecimal digits")
struct HexTests {
  @Test("all bytes come back, from upper case too")
  func roundTrip() {
    let bytes = Array(UInt8.min ... .max)
    #expect(Hex.bytes(Hex.text(bytes)) == bytes)
    #expect(Hex.bytes(Hex.text(bytes).uppercased()) == bytes)
    #expect(Hex.text([0x00, 0x7f, 0xab]) == "007fab")
    #expect(Hex.bytes("") == [])
  }

  @Test(
    "what is not an even number of digits is refused",
    arguments: ["0", "abc", "0g", "/0", ":0", "@0", "`0", " 00", "00\n", "0x00", "é0"])
  func refused(_ text: String) { #expect(Hex.bytes(text) == nil) }

  @Test("a digest takes exactly 64 lower-case digits")
  func digest() {
    let text = String(repeating: "0f", count: 32)
    #expect(Digest(hex: text)?.hex == text)
    for text in [text.uppercased(), text + "00", String(text.dropLast(2)), String(text.dropLast()), ""] {
      #expect(Digest(hex: text) == nil)
    }
  }
}
