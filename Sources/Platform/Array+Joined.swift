extension [String] {
  /// The elements with `separator` between them.
  package func joined(by separator: String) -> String {
    var text = ""
    for part in self { text += (text.isEmpty ? "" : separator) + part }
    return text
  }

  /// The elements with commas between them, for a sentence.
  ///
  /// They may come from the command line, or from a file that any user can write, so control characters are escaped.
  package var listed: String { map { $0.escapingControls }.joined(by: ", ") }
}
