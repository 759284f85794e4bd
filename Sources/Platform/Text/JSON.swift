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
  /// A number as it is written.
  package mutating func add(_ name: String, number: String) { add(name, raw: number) }
  package mutating func add(_ name: String, numbers: [String]) {
    add(name, raw: "[\(numbers.joined(by: ","))]")
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
    var quoted = String.UnicodeScalarView()
    quoted.append("\"")
    for scalar in text.unicodeScalars {
      if scalar.isControl {
        quoted.append(contentsOf: "\\u\(scalar.hex(digits: 4))".unicodeScalars)
        continue
      }
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }

  /// A byte that has to be escaped, or begins a character that may have to be (`Unicode.Scalar.isControl`).
  private static func needsEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7f, 0xc2, 0xd8, 0xe2: true
    default: false
    }
  }
}
