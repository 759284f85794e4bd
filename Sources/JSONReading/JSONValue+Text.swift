internal import Platform

extension JSONValue {
  /// The value as JSON (RFC 8259) on one line, with members in their order.
  package var jsonText: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Recursion of at most `JSONLimits.depth` levels: the parser takes no more.
  private func write(to text: inout String) {
    switch kind {
    case .object:
      text += "{"
      var isFirst = true
      forEachWrittenMember { name, value in
        text += isFirst ? "" : ","
        isFirst = false
        text += JSON.quoted(name.text)
        text += ":"
        value.write(to: &text)
      }
      text += "}"
    case .array:
      text += "["
      var isFirst = true
      forEachElement { value in
        text += isFirst ? "" : ","
        isFirst = false
        value.write(to: &text)
      }
      text += "]"
    case .text: text += JSON.quoted(self.text ?? "")
    case .whole, .fraction: text += number ?? "0"
    case .flag: text += flag == true ? "true" : "false"
    case .null: text += "null"
    }
  }
}
