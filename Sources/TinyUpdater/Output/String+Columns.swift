extension String {
  /// Followed by blanks, for a column of text.
  func filled(to width: Int) -> String { self + blanks(width) }

  /// Preceded by blanks, for a column of numbers.
  func padded(to width: Int) -> String { blanks(width) + self }

  private func blanks(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) }
}
