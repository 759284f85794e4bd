package import Platform

/// Why an archive is not read further.
package enum UnpackingError: Error, Equatable {
  case file(Failure)
  /// It is no archive of a format that is read.
  case unknownFormat
  /// It is not what was packed, or not all of it; `cause` is in the words of the library that found it.
  case damaged(cause: String)
  /// A file of it can be read with a password only.
  case encrypted(entry: String)
  /// It unpacks to more bytes than the reader's limit.
  case tooLarge
  case noMemory
}
