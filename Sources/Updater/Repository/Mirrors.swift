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
  private var cooldown: Cooldown
  /// The one that was used last.
  private(set) var current: String?

  /// - `urls`: base URLs.
  init(_ urls: [String], clock: @escaping () -> UInt64 = { Clock.milliseconds }) {
    self.urls = urls
    cooldown = Cooldown(urls.count, clock: clock)
    current = urls.first
  }

  /// Whom to ask, one after the other.
  var candidates: [Candidate] {
    let (fresh, others) = (cooldown.servers, cooldown.failed)
    let patient = fresh.last ?? others.last
    return (fresh + others).map { Candidate(url: urls[$0], isPatient: $0 == patient) }
  }

  /// All that may do, except for the one that was used last.
  var others: [String] {
    cooldown.servers.map { urls[$0] }.filter { $0 != current }
  }

  /// `url` works.
  mutating func use(_ url: String) { current = url }

  /// `url` has failed.
  mutating func passOver(_ url: String) {
    for index in urls.indices where urls[index] == url { cooldown.begin(index) }
  }

  /// What came from `current` was wrong; false if there is no other that works as far as is known.
  mutating func leaveCurrent() -> Bool {
    guard let current else { return false }
    passOver(current)
    guard let index = cooldown.servers.first else { return false }
    self.current = urls[index]
    return true
  }

  /// One of them serves `path` as `url`.
  func has(_ url: String, as path: String) -> Bool { urls.contains { "\($0)/\(path)" == url } }
}
