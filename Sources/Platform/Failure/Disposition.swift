/// What an error means for the operation that it ended: the one thing that decides what happens next.
package enum Disposition: Equatable {
  /// The cause may pass by itself, and finding out costs little.
  ///
  /// A connection fails, a server refuses, a login page replaces signed metadata, the clock is not set yet, or the
  /// publisher is late to sign. A wrong argument stays wrong, and a map with the wrong content would be downloaded
  /// again each time.
  case retryLater
  /// Another process holds what the operation needs.
  case busy
  /// A signal other than the user's stopped this process.
  case stopped
  /// The user no longer wants it.
  case cancelled
  /// The file system is full, or would be.
  case outOfSpace
  /// Downloaded bytes, or the file made of them, are not what the publisher signed.
  case contentRejected
  /// Another attempt would fail as well, or cannot be expected to succeed.
  case fatal
}
