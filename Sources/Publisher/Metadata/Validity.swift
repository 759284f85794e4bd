package import Trust

/// How long the signatures of each role are valid.
package struct Validity: Equatable, Sendable {
  private var chosen: [Int64?] = Root.TopLevel.allCases.map { _ in nil }

  private static var day: Int64 { 86_400 }

  /// As in the file before, or the defaults.
  package init() {}

  /// The validity in days from now; nil to keep the previous one.
  package subscript(role: Root.TopLevel) -> Int64? {
    get { chosen[role.rawValue].map { $0 / Validity.day } }
    set { chosen[role.rawValue] = newValue.map { $0 * Validity.day } }
  }

  /// Version, time and expiry of the file that follows `previous`.
  func head(_ role: Root.TopLevel, after previous: SignedFile?, now: Int64) -> MetadataText.Head {
    let seconds = chosen[role.rawValue] ?? previous?.validity ?? Validity.standard(role)
    return MetadataText.Head(version: (previous?.version ?? 0) + 1, issued: now, expires: now + seconds)
  }

  private static func standard(_ role: Root.TopLevel) -> Int64 {
    switch role {
    case .root, .targets, .snapshot: 365 * day
    case .timestamp: 14 * day
    }
  }
}
