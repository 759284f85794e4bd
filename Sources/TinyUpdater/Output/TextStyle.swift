internal import Platform

/// What standard output can display.
struct TextStyle {
  /// The locale has characters beyond ASCII.
  let isUnicode: Bool
  let hasColours: Bool
  /// Columns of a line; nil for no limit.
  let columns: Int?

  enum Colour { case green, yellow, red }

  /// Reads the locale, `NO_COLOR` and `TERM`, and asks whether standard output is a terminal.
  init() {
    let isInteractive = Terminal.isInteractive(.output)
    let terminal = Environment.value("TERM") ?? "dumb"
    isUnicode = TextStyle.isUnicodeLocale
    hasColours =
      isInteractive && Environment.value("NO_COLOR") == nil && !terminal.utf8.elementsEqual("dumb".utf8)
    columns = isInteractive ? Terminal.columns(.output) : nil
  }

  func paint(_ text: String, in colour: Colour?) -> String {
    guard hasColours, let colour else { return text }
    let code =
      switch colour {
      case .green: "32"
      case .yellow: "33"
      case .red: "31"
      }
    return "\u{1b}[\(code)m\(text)\u{1b}[0m"
  }

  /// Replaces text that is cut off.
  var cut: String { isUnicode ? "…" : "~" }

  /// Without a locale, text is ASCII.
  private static var isUnicodeLocale: Bool {
    let variables: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
    for variable in variables {
      guard let value = Environment.value(variable) else { continue }
      var letters: [UInt8] = []
      for byte in value.utf8 where byte != UInt8(ascii: "-") { letters.append(byte | 0x20) }
      let wanted = Array("utf8".utf8).map { $0 | 0x20 }
      guard letters.count >= wanted.count else { return false }
      for start in 0...(letters.count - wanted.count)
      where letters[start..<start + wanted.count].elementsEqual(wanted) {
        return true
      }
      return false
    }
    return false
  }
}
