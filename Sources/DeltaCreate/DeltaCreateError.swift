package import Codec
package import Platform

/// Why no patch was made.
package enum DeltaCreateError: Error, Equatable {
  /// An option is out of the bounds of the format.
  case badOption
  /// A file is larger than the format allows.
  case fileTooLarge
  case codec(CodecError)
  /// Compressed sections could not be kept in `workDirectory`.
  case file(Failure)
  /// The cryptographic library refused.
  case hashing

  /// What is wrong, to follow a file's name.
  package var sentence: String {
    switch self {
    case .badOption: "cannot be encoded: an option is outside the limits of the patch format"
    case .fileTooLarge: "is larger than the patch format allows"
    case .codec(let error): "could not be compressed: it \(error.sentence)"
    case .file(let error): "could not be compressed: \(error.cause)"
    case .hashing: "could not be hashed: the cryptographic library refused"
    }
  }
}
