internal import Platform

/// What the head of a response says, gathered line by line.
struct ResponseHead {
  /// 0 until a status line came; it stays 0 for `file:`.
  private(set) var status = 0
  /// `Content-Range: bytes first-last/total` (RFC 9110, section 14.4).
  private(set) var range: ContentRange?
  /// The `ETag`, or else `Last-Modified`: equal text means equal bytes (RFC 9110, section 8.8).
  private(set) var validator: String?
  /// Seconds of `Retry-After`.
  private(set) var retryAfter: UInt64?
  /// Bytes that the body is announced to have; nil: only its end says.
  private(set) var length: UInt64?
  /// The body is a page for people to read.
  private(set) var isPage = false
  /// Another URL than the one that was asked for has it.
  private(set) var isRedirected = false

  private var isChunked = false

  var isError: Bool { status >= 400 }

  /// Takes one line of the head; a status line starts a new head, as after a redirect.
  mutating func take(_ line: String) {
    if line.utf8.starts(with: "HTTP/".utf8) {
      let isRedirected = isRedirected || (300..<400).contains(status)
      self = ResponseHead()
      self.isRedirected = isRedirected
      let parts = line.trimmed.parts(separatedBy: " ", limit: 3)
      status = parts.count > 1 ? Int(ascii: parts[1].utf8) ?? 0 : 0
      return
    }
    let parts = line.parts(separatedBy: ":", limit: 2)
    guard parts.count == 2 else { return }
    let value = parts[1].trimmed
    switch parts[0].trimmed.lowercasedASCII {
    case "content-range": range = ContentRange(value)
    case "etag": if !value.utf8.starts(with: "W/".utf8) { validator = value }
    case "last-modified": validator = validator ?? value
    case "retry-after": retryAfter = UInt64(ascii: value.utf8)
    case "content-length": length = isChunked ? nil : UInt64(ascii: value.utf8)
    // It takes precedence over a length (RFC 9112, section 6.3).
    case "transfer-encoding": (isChunked, length) = (true, nil)
    case "content-type": isPage = value.lowercasedASCII.utf8.starts(with: "text/html".utf8)
    default: break
    }
  }
}
