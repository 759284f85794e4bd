package import Codec

/// A library that refused to work: too little memory, or an installation that lacks something.
package enum LibraryError: Error, Equatable {
  case compression(path: String, CodecError)
  case hashing(path: String)

  /// What happened, to which file, and what to do next.
  package var sentence: String {
    switch self {
    case .compression(let path, let error):
      "\(path) \(error.sentence). Nothing was published; free some memory and repeat the command."
    case .hashing(let path): "The cryptographic library refused to hash \(path). Check its installation."
    }
  }
}
