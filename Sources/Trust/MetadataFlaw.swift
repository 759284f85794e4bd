package import JSONReading

/// What is wrong with a metadata file.
package indirect enum MetadataFlaw: Error, Equatable {
  case json(JSONError)
  /// A member that is not there, or of another kind.
  case member(String)
  /// A member of the right kind whose value is not allowed.
  case value(String)
  /// Another `_type` than the file's name says.
  case wrongType(expected: String)
  case repeated(String)
  case tooMany(String)

  package var sentence: String {
    switch self {
    case .json(let error): error.sentence
    case .member(let name): "\"\(name)\" is missing or of the wrong kind"
    case .value(let name): "the value of \"\(name)\" is not allowed"
    case .wrongType(let expected): "it is not \(expected) metadata"
    case .repeated(let name): "\"\(name)\" names something twice"
    case .tooMany(let name): "\"\(name)\" has more than this program takes"
    }
  }
}
