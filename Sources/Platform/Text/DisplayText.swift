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
  /// What comes from a catalog must not be able to steer a terminal.
  package func printable(isUnicode: Bool = true) -> String {
    if isPlain { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value) || scalar.isFormat
      text.append(isControl || (!isUnicode && scalar.value > 0x7e) ? "?" : scalar)
    }
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

  /// Turns the direction of what follows.
  fileprivate var isFormat: Bool {
    (0x202a..<0x202f).contains(value) || (0x2066..<0x206a).contains(value)
  }
}
