/// A file to fetch.
package struct Request {
  package let url: String
  /// The exact size in bytes where it is known.
  package let size: UInt64?
  /// The most bytes that can be right.
  package let limit: UInt64
  /// How often it is tried again before it fails, since another server has the file as well; nil: none has, and it is
  /// tried as the settings say.
  ///
  /// A server that is slow, or asks for a pause, is left at once then.
  package var retries: Int?

  /// A body whose size is known beforehand.
  package init(_ url: String, size: UInt64) {
    self.url = url
    self.size = size
    limit = size
  }

  /// A body of at most `limit` bytes.
  package init(_ url: String, limit: UInt64) {
    self.url = url
    size = nil
    self.limit = limit
  }

  var hasAlternative: Bool { retries != nil }

  /// It needs no network.
  var isLocal: Bool { url.utf8.starts(with: "file:".utf8) }
}
