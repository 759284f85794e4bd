extension String {
  /// With blanks behind it, for a column of text.
  func filled(to width: Int) -> String { self + blanks(width) }

  /// With blanks before it, for a column of numbers.
  func padded(to width: Int) -> String { blanks(width) + self }

  private func blanks(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) }
}

extension [String] {
  /// One text of all, with `separator` between them.
  func joined(by separator: String) -> String {
    var text = ""
    for part in self { text += (text.isEmpty ? "" : separator) + part }
    return text
  }
}
