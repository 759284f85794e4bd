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

  /// The same of the depots.
  var usableDepots: [String] { isOffline ? depots.filter { Configuration.isLocal($0) } : depots }

  /// There is a repository that may be asked.
  package var canConnect: Bool { !usableMirrors.isEmpty }

  /// A stick or another local directory, which needs no connection.
  static func isLocal(_ url: String) -> Bool { url.utf8.starts(with: "file:".utf8) }

  /// Nobody on the way to a server can answer in its place: it has a certificate, or is this machine.
  static func isAuthentic(_ url: String) -> Bool {
    if url.utf8.starts(with: "https:".utf8) { return true }
    return ["http://127.0.0.1", "http://[::1]", "http://localhost"].contains { host in
      url.utf8.starts(with: host.utf8)
        && [UInt8(ascii: ":"), UInt8(ascii: "/")].contains(url.utf8.dropFirst(host.utf8.count).first ?? 0)
    }
  }

  /// What is wrong with a URL beside its form; its value is not shown.
  func flaw(of setting: Setting, _ value: String) -> ConfigurationFlaw? {
    switch setting {
    case .repository where mirrors.count == UpdateLimits.mirrors,
      .content where depots.count == UpdateLimits.mirrors:
      return .tooManyMirrors(key: setting.rawValue)
    case .repository, .content, .proxy, .reportURL: break
    default: return nil
    }
    let parts = value.parts(separatedBy: "/", limit: 4)
    return parts.count > 2 && parts[2].utf8.contains(UInt8(ascii: "@")) ? .secret(key: setting.rawValue) : nil
  }
}
