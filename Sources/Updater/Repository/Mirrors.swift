internal import Platform

/// The servers of one repository: all of them have the same files.
///
/// They are asked in the order of the configuration. One that fails is skipped for ten minutes, and asked again only if
/// all others fail as well.
struct Mirrors {
  /// A server, and how patient a request to it is.
  struct Candidate: Equatable {
    let url: String
    /// It is the last hope: others are asked after it only because they may have come back.
    let isPatient: Bool
  }

  private let urls: [String]
  /// Until when each of them is passed over, by the clock that only goes forward.
  private var returns: [UInt64]
  private let clock: () -> UInt64
  /// The one that was used last.
  private(set) var current: String?

  /// - `urls`: base URLs.
  init(_ urls: [String], clock: @escaping () -> UInt64 = { Clock.milliseconds }) {
    self.urls = urls
    self.clock = clock
    returns = urls.map { _ in 0 }
    current = urls.first
  }

  /// Whom to ask, one after the other.
  var candidates: [Candidate] {
    let now = clock()
    let fresh = urls.indices.filter { returns[$0] <= now }
    let others = urls.indices.filter { returns[$0] > now }
    let patient = fresh.last ?? others.last
    return (fresh + others).map { Candidate(url: urls[$0], isPatient: $0 == patient) }
  }

  /// All that may do, except for the one that was used last.
  var others: [String] {
    let now = clock()
    return urls.indices.filter { returns[$0] <= now && urls[$0] != current }.map { urls[$0] }
  }

  /// `url` works.
  mutating func use(_ url: String) { current = url }

  /// `url` has failed.
  mutating func passOver(_ url: String) {
    let end = clock() + UpdateLimits.serverCooldown
    for index in urls.indices where urls[index] == url { returns[index] = end }
  }

  /// What came from `current` was wrong; false if there is no other that works as far as is known.
  mutating func leaveCurrent() -> Bool {
    guard let current else { return false }
    passOver(current)
    let now = clock()
    guard let index = urls.indices.first(where: { returns[$0] <= now }) else { return false }
    self.current = urls[index]
    return true
  }

  /// One of them serves `path` as `url`.
  func has(_ url: String, as path: String) -> Bool { urls.contains { "\($0)/\(path)" == url } }
}
