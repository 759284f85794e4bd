/// Bounds of the transport.
enum TransportLimits {
  /// Bytes after which a connection that breaks again has earned new attempts.
  static var progress: UInt64 { 64 << 10 }
  /// Bytes that a server has to send of a range that it does not send to its end; fewer count as a broken connection.
  static var part: UInt64 { 4 << 10 }
  /// Milliseconds between two attempts at most.
  static var pause: UInt64 { 60_000 }
  /// Seconds that a server may have one request wait, all its `Retry-After` together.
  static var retryAfter: UInt64 { 300 }
  /// Bytes a second that a connection must carry in the long run.
  static var slowest: UInt64 { 1024 }
  /// Seconds for which a connection may carry fewer than these where another server has the file as well.
  static var slowness: Int { 5 }
  /// Bytes of the page with an error, or with a redirect, that are read to keep the connection.
  static var discardedPage: UInt64 { 64 << 10 }
  /// Bytes of one header line that are read.
  static var headerLine: Int { 1024 }
  /// Bytes of all header and trailer lines of one attempt; libcurl keeps them.
  static var headers: Int { 128 << 10 }
  /// Lines of them: each takes some hundred bytes beside its text.
  static var headerLines: Int { 1000 }
  /// Bytes of a line of the file that `authorization` names: room for a long token.
  static var credential: Int { 8 << 10 }
  /// Servers in it.
  static var credentials: Int { 32 }
}
