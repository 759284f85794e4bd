internal import Platform

extension String {
  /// Followed by blanks, for a column of text.
  func filled(to width: Int) -> String { self + blanks(width) }

  /// Preceded by blanks, for a column of numbers.
  func padded(to width: Int) -> String { blanks(width) + self }

  /// An id in exactly `width` columns, without its beginning if it is too long: the last part says most.
  func idFitted(to width: Int, mark: String) -> String {
    var excess = columns - width
    guard excess > 0 else { return fitted(to: width) }
    excess += mark.columns
    var rest = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if excess > 0 { excess -= String(scalar).columns } else { rest.append(scalar) }
    }
    return (mark + String(rest)).fitted(to: width)
  }

  private func blanks(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) }
}
