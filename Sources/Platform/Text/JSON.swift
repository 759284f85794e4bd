/// One JSON object, written from left to right (RFC 8259).
package struct JSON {
  private var body = ""

  package init() { body.reserveCapacity(256) }

  /// The object on one line.
  package var text: String { "{\(body)}" }

  package mutating func add(_ name: String, _ value: String) { add(name, raw: JSON.quoted(value)) }
  package mutating func add(_ name: String, _ value: Bool) { add(name, raw: value ? "true" : "false") }
  package mutating func add(_ name: String, _ value: some BinaryInteger) {
    add(name, raw: "\(Int64(clamping: value))")
  }
  package mutating func add(_ name: String, _ value: JSON) { add(name, raw: value.text) }

  package mutating func add(_ name: String, _ values: [JSON]) {
    var list = ""
    for value in values { list += (list.isEmpty ? "" : ",") + value.text }
    add(name, raw: "[\(list)]")
  }

  package mutating func add(_ name: String, _ values: [String]) {
    var list = ""
    for value in values { list += (list.isEmpty ? "" : ",") + JSON.quoted(value) }
    add(name, raw: "[\(list)]")
  }

  private mutating func add(_ name: String, raw: String) {
    if !body.isEmpty { body += "," }
    body += JSON.quoted(name)
    body += ":"
    body += raw
  }

  /// `text` in quotation marks, with everything escaped that has to be.
  package static func quoted(_ text: String) -> String {
    // Almost every text is as it is: of those there may be a million.
    guard text.utf8.contains(where: needsEscape) else { return "\"" + text + "\"" }
    let hex = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20, 0x7f:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(hex[Int(byte >> 4)])
        bytes.append(hex[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7f || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}
