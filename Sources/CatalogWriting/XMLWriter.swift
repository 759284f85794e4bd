/// XML text, written sequentially and indented by two spaces per level.
struct XMLWriter {
  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private var depth = 0

  /// Writes `<name a="b">` and indents what follows by one level.
  mutating func open(_ name: String, attributes: [(String, String)]) {
    tag(name, attributes: attributes, end: ">\n")
    depth += 1
  }

  /// Writes `</name>`, one level up.
  mutating func close(_ name: String) {
    depth -= 1
    indent()
    text += "</\(name)>\n"
  }

  /// Writes `<name a="b">content</name>`, or `<name a="b"/>` without content.
  mutating func element(_ name: String, attributes: [(String, String)], content: String? = nil) {
    guard let content else { return tag(name, attributes: attributes, end: "/>\n") }
    tag(name, attributes: attributes, end: ">" + XMLWriter.escaped(content) + "</\(name)>\n")
  }

  /// Removes and returns the text written so far, for documents that are too long for the memory.
  mutating func takeText() -> String {
    defer { text = "" }
    return text
  }

  private mutating func tag(_ name: String, attributes: [(String, String)], end: String) {
    indent()
    text += "<" + name
    for (key, value) in attributes { text += " \(key)=\"\(XMLWriter.escaped(value))\"" }
    text += end
  }

  private mutating func indent() { text += String(repeating: "  ", count: depth) }

  /// `text` with markup characters as references; bytes that XML does not allow are left out.
  static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
      case 9, 10, 13: bytes.append(UInt8(ascii: " "))
      case 0..<0x20: break
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
