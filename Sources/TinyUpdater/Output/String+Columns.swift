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

  /// An id as the first column of a row, `width` columns wide; one that is longer takes a line of its own before it.
  ///
  /// - `columns`: those of the terminal, in which even such a line has to fit.
  func idColumn(of width: Int, in columns: Int, mark: String) -> (text: String, width: Int) {
    guard self.columns > width else { return (fitted(to: width), width) }
    let line = idFitted(to: min(self.columns, columns - 1), mark: mark)
    return ("\(line)\n\("".filled(to: width))", width)
  }

  /// In lines of at most `width` columns, broken at blanks; all but the first begin with `indent` blanks.
  func wrapped(to width: Int, indent: Int) -> String {
    var (text, column) = ("", 0)
    for (index, word) in parts(separatedBy: " ").enumerated() {
      if index > 0, column > indent, column + 1 + word.columns > width {
        text += "\n" + "".filled(to: indent)
        column = indent
      } else if index > 0 {
        text += " "
        column += 1
      }
      text += word
      column += word.columns
    }
    return text
  }

  private func blanks(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) }
}
