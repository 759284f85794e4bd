package import Platform

/// Why a sink takes no more bytes.
package enum SinkError: Error, Equatable {
  case file(FileError)
  /// They are not what they must be; the sink knows why.
  case rejected
}
