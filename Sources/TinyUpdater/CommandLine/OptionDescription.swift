/// What usage text and completions say about an option.
struct OptionDescription {
  /// The value that an option takes.
  enum Value: Equatable {
    case file, directory, bundle, url, number, bytes, distance, language, release, format

    /// The value in usage text.
    var placeholder: String {
      switch self {
      case .file: "FILE"
      case .directory: "DIR"
      case .bundle: "BUNDLE"
      case .url: "URL"
      case .number: "N"
      case .bytes: "BYTES"
      case .distance: "METRES"
      case .language: "LANGUAGE"
      case .release: "RELEASE"
      case .format: "FORMAT"
      }
    }
  }

  /// The long form, without its dashes.
  let name: String
  /// The short form, without its dash.
  let letter: Unicode.Scalar?
  /// Nil if the option takes no value.
  let value: Value?
  let summary: String

  init(_ name: String, letter: Unicode.Scalar?, value: Value?, summary: String) {
    self.name = name
    self.letter = letter
    self.value = value
    self.summary = summary
  }

  /// The option in usage text, such as `-c, --config FILE`.
  var usage: String {
    let short = letter.map { "-\(String($0)), " } ?? "    "
    return "\(short)--\(name)" + (value.map { " \($0.placeholder)" } ?? "")
  }
}
