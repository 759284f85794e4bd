package import Codec
package import Platform

/// Why no patch was made.
package enum DeltaCreateError: Error, Equatable {
  /// An option is out of the bounds of the format.
  case badOption
  /// A file is larger than the format allows.
  case fileTooLarge
  /// A way to make the new file is not smaller than the one that is known.
  case notSmaller
  case codec(CodecError)
  /// Compressed sections could not be kept in `workDirectory`.
  case file(FileError)
  /// The cryptographic library refused.
  case hashing

  /// What is wrong, to stand behind a file's name.
  package var sentence: String {
    switch self {
    case .badOption: "was given an option that the patch format does not allow"
    case .fileTooLarge: "is larger than the patch format allows"
    case .notSmaller: "has a smaller patch already"
    case .codec(let error): "could not be compressed: it \(error.sentence)"
    case .file(let error): "could not be compressed: \(error.sentence)"
    case .hashing: "could not be hashed: the cryptographic library refused"
    }
  }
}
