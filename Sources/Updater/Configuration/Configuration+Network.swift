internal import Platform
internal import Transport

/// What a metered link may carry.
package struct DownloadSettings: Equatable {
  /// Bytes of one run; nil: no limit.
  package var perRun: UInt64?
  /// Bytes of one day, UTC; nil: no limit.
  package var perDay: UInt64?
  package var fallback = Fallback.full
}

/// What an update does with a map to which no patch leads.
package enum Fallback: Equatable {
  /// It is downloaded as a whole.
  case full
  /// The update is refused.
  case never

  init?(word: String) {
    switch word {
    case "full": self = .full
    case "never": self = .never
    default: return nil
    }
  }
}

extension Configuration {
  /// Where releases come from, for messages.
  var source: String { bundle ?? repository ?? "" }

  /// The base URL that is tried first; nil: none is set.
  package var repository: String? {
    get { mirrors.first }
    set { mirrors = newValue.map { [$0] } ?? [] }
  }

  /// Those of the base URLs that may be asked.
  var usableMirrors: [String] { isOffline ? mirrors.filter { Configuration.isLocal($0) } : mirrors }

  /// There is a repository that may be asked.
  package var canConnect: Bool { !usableMirrors.isEmpty }

  /// A stick or another local directory, which needs no connection.
  static func isLocal(_ url: String) -> Bool { url.utf8.starts(with: "file:".utf8) }

  /// Takes a setting of the network; nil if it is none, false if its value is wrong.
  mutating func setNetwork(_ key: String, to value: String) -> Bool? {
    switch key {
    case "repository":
      assign(Configuration.baseURL(value)) { $0.mirrors.append($1) }
    case "offline": assign(Configuration.flag(value)) { $0.isOffline = $1 }
    case "certificate_authorities":
      assign(value.isEmpty ? nil : value) { $0.transport.certificateAuthorities = $1 }
    case "client_certificate":
      assign(Configuration.absolutePath(value)) { $0.transport.clientCertificate = $1 }
    case "client_key": assign(Configuration.absolutePath(value)) { $0.transport.clientKey = $1 }
    case "authorization": assign(Configuration.absolutePath(value)) { $0.transport.authorization = $1 }
    case "proxy": assign(Configuration.proxy(value)) { $0.transport.proxy = $1 }
    case "user_agent": assign(Configuration.headerText(value)) { $0.transport.userAgent = $1 }
    case "rate_limit":
      assign(ByteCount(value)?.bytes, where: { $0 >= UpdateLimits.minimumRate }) {
        $0.transport.rateLimit = $1
      }
    case "download_limit": assign(Configuration.downloadLimit(value)) { $0.download.perRun = $1 }
    case "download_limit_day": assign(Configuration.downloadLimit(value)) { $0.download.perDay = $1 }
    case "fallback": assign(Fallback(word: value)) { $0.download.fallback = $1 }
    case "spread": assign(number(value, upTo: 604_800)) { $0.spread = UInt64($1) }
    case "retries": assign(number(value, upTo: 1000)) { $0.transport.retries = $1 }
    case "retry_delay":
      assign(number(value, upTo: 60_000)) { $0.transport.retryDelay = UInt64($1) }
    case "connect_timeout": assign(number(value, from: 1, upTo: 3600)) { $0.transport.connectTimeout = $1 }
    case "stall_timeout": assign(number(value, from: 1, upTo: 3600)) { $0.transport.stallTimeout = $1 }
    default: nil
    }
  }

  /// What is wrong with a URL beside its form; its value is not shown.
  func flaw(of key: String, _ value: String) -> ConfigurationFlaw? {
    guard key == "repository" || key == "proxy" else { return nil }
    if key == "repository", mirrors.count == UpdateLimits.mirrors { return .tooManyMirrors }
    let parts = value.parts(separatedBy: "/", limit: 4)
    return parts.count > 2 && parts[2].utf8.contains(UInt8(ascii: "@")) ? .secret(key: key) : nil
  }

  /// A text that can stand in a header of a request: printable ASCII, of moderate length.
  private static func headerText(_ text: String) -> String? {
    let isText = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }
    return isText && (1...256).contains(text.utf8.count) ? text : nil
  }

  private static func downloadLimit(_ text: String) -> UInt64? {
    ByteCount(text).flatMap { $0.bytes >= UpdateLimits.minimumDownload ? $0.bytes : nil }
  }

  /// `none`, for which libcurl has an empty text, or `http://HOST:PORT`.
  private static func proxy(_ text: String) -> String? {
    if text == "none" { return "" }
    guard text.utf8.starts(with: "http://".utf8) else { return nil }
    return baseURL(text)
  }

  /// A URL that this program can fetch from, without its closing slashes; nil if it is not valid.
  static func baseURL(_ text: String) -> String? {
    let schemes: [String] = ["https://", "http://", "file://"]
    guard schemes.contains(where: { text.utf8.starts(with: $0.utf8) && text.utf8.count > $0.utf8.count })
    else {
      return nil
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { return nil }
    var bytes = text.utf8[...]
    while bytes.last == UInt8(ascii: "/") { bytes = bytes.dropLast() }
    return String(decoding: Array(bytes), as: UTF8.self)
  }
}
