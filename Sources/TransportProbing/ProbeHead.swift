internal import Platform
internal import Transport

/// The head of a response, line by line.
struct ProbeHead {
  /// 0 until a status line came.
  private(set) var status = 0
  private(set) var length: UInt64?
  private(set) var range: ContentRange?
  private(set) var encoding: String?
  private(set) var cacheControl: String?

  /// A status line starts a new head, as after a redirect.
  mutating func take(_ line: String) {
    if line.hasPrefix("HTTP/") {
      self = ProbeHead()
      let parts = line.parts(separatedBy: " ", limit: 3)
      status = parts.count > 1 ? Int(ascii: parts[1].trimmed.utf8) ?? 0 : 0
      return
    }
    let parts = line.parts(separatedBy: ":", limit: 2)
    guard parts.count == 2 else { return }
    let value = parts[1].trimmed
    switch parts[0].trimmed.lowercasedASCII {
    case "content-length": length = UInt64(ascii: value.utf8)
    case "content-range": range = ContentRange(value)
    case "content-encoding": encoding = value
    case "cache-control": cacheControl = cacheControl.map { "\($0), \(value)" } ?? value
    default: break
    }
  }
}

/// What a server says of a file.
package struct ProbeAnswer: Equatable, Sendable {
  /// The status of HTTP; 0 if there was no answer.
  package let status: Int
  /// Why there was no answer, in libcurl's words; nil if there was one.
  package let failure: String?
  /// Of the whole file, in bytes; nil if the server does not say.
  package let size: UInt64?
  /// The server sends a part of a file if it is asked for one.
  package let servesRanges: Bool
  /// What the server does to the bytes, such as `gzip`; nil if nothing.
  package let encoding: String?
  /// Seconds that caches on the way may keep it; nil if the server does not say.
  package let lifetime: UInt64?

  init(_ head: ProbeHead, failure: String?) {
    status = failure == nil ? head.status : 0
    self.failure = failure
    // The range begins at the last byte, so a shorter file has none.
    servesRanges = head.status == 206 || head.status == 416
    size = servesRanges ? head.range?.total : head.length
    encoding = head.encoding.flatMap { ["", "identity"].contains($0.lowercasedASCII) ? nil : $0 }
    lifetime = head.cacheControl.flatMap(ProbeAnswer.lifetime)
  }

  /// Why the file did not come.
  var cause: String { failure ?? "the server answered \(status)" }

  /// The server says that there is no such file.
  package var isAbsence: Bool { [403, 404, 410].contains(status) }

  /// 4xx are the publisher's to mend, except for these.
  var isTransient: Bool { failure != nil || status >= 500 || [408, 425, 429].contains(status) }

  /// Shared caches prefer `s-maxage` (RFC 9111, section 5.2.2.10).
  static func lifetime(_ text: String) -> UInt64? {
    var (own, shared): (UInt64?, UInt64?)
    for part in text.lowercasedASCII.parts(separatedBy: ",") {
      let words = part.parts(separatedBy: "=", limit: 2).map(\.trimmed)
      if words[0] == "no-cache" || words[0] == "no-store" || words[0] == "private" { return 0 }
      guard words.count == 2, let seconds = UInt64(ascii: words[1].utf8) else { continue }
      if words[0] == "max-age" { own = seconds }
      if words[0] == "s-maxage" { shared = seconds }
    }
    return shared ?? own
  }
}
