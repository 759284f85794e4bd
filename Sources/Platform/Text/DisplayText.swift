/// Text as a terminal shows it: in columns, and without what would steer the terminal.
extension String {
  /// How many columns it takes.
  ///
  /// An approximation without tables: East Asian signs and pictures take two, combining marks none.
  package var columns: Int {
    if isPlain { return utf8.count }
    var sum = 0
    for scalar in unicodeScalars { sum += scalar.columns }
    return sum
  }

  /// Without control characters; `isUnicode` false: with a question mark for every sign beyond ASCII too.
  ///
  /// What comes from a catalog, a server or an argument must not be able to steer a terminal.
  package func printable(isUnicode: Bool = true) -> String {
    replacing { $0.isControl || (!isUnicode && $0.value > 0x7e) }
  }

  /// The same of a text of several lines: line feeds and tabs stay.
  package var printableLines: String { replacing { $0.isControl && $0 != "\n" && $0 != "\t" } }

  private func replacing(_ isRefused: (Unicode.Scalar) -> Bool) -> String {
    if isPlain { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars { text.append(isRefused(scalar) ? "?" : scalar) }
    return String(text)
  }

  /// All of it is visible ASCII.
  private var isPlain: Bool { utf8.allSatisfy { (0x20..<0x7f).contains($0) } }

  /// Cut to at most `width` columns, with `mark` where something is missing, and filled up with blanks.
  package func fitted(to width: Int, mark: String = "…") -> String {
    let needed = columns
    guard needed > width else { return self + String(repeating: " ", count: width - needed) }
    var text = String.UnicodeScalarView()
    var used = 0
    let room = max(0, width - mark.columns)
    for scalar in unicodeScalars {
      guard used + scalar.columns <= room else { break }
      used += scalar.columns
      text.append(scalar)
    }
    let cut = width >= mark.columns ? String(text) + mark : ""
    return cut + String(repeating: " ", count: max(0, width - cut.columns))
  }
}

extension Unicode.Scalar {
  fileprivate var columns: Int {
    switch value {
    case 0x300..<0x370, 0x200b..<0x2010, 0xfe00..<0xfe10: 0
    case 0x1100..<0x1160, 0x2e80..<0xa4d0, 0xac00..<0xd7a4, 0xf900..<0xfb00, 0xfe30..<0xfe70, 0xff00..<0xff61,
      0xffe0..<0xffe7, 0x1f300..<0x1fb00, 0x20000..<0x3fffe:
      2
    default: 1
    }
  }

  /// Steers a terminal, ends a line, or turns the direction of text (C0, DEL, C1, the separators and
  /// directional formatting characters of Unicode).
  package var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0: true
    case 0x61c, 0x200e, 0x200f, 0x2028..<0x202f, 0x2066..<0x206a: true
    default: false
    }
  }
}
