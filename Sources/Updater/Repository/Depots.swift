internal import Platform

/// Servers of files that never change: catalogs, maps and patches, never metadata.
///
/// They are asked before the repository, in the order of the configuration, and nothing is expected of them. A file that
/// one lacks or has wrong comes from the next; one that fails otherwise is passed over for ten minutes.
struct Depots {
  private let urls: [String]
  private var cooldown: Cooldown
  /// The URLs that were lacking or wrong last.
  private var passedOver: [String] = []
  /// The URLs by which bytes of the file came that was asked for last; the last one comes last.
  private(set) var used: [String] = []

  /// - `urls`: base URLs.
  init(_ urls: [String], clock: @escaping () -> UInt64 = { Clock.milliseconds }) {
    self.urls = urls
    cooldown = Cooldown(urls.count, clock: clock)
  }

  /// The URLs at which to ask for `path`, one after the other.
  func candidates(for path: String) -> [String] {
    cooldown.servers.map { "\(urls[$0])/\(path)" }.filter { !passedOver.contains($0) }
  }

  /// `path` is asked for: what came of it so far counts no more if it was another file.
  mutating func begin(_ path: String) {
    let ends = "/\(path)"
    if let last = used.last, !last.utf8.suffix(ends.utf8.count).elementsEqual(ends.utf8) { used = [] }
  }

  /// Bytes come by `url`.
  mutating func use(_ url: String) { if used.last != url { used.append(url) } }

  /// The depot lacks the file at `url`, or has a wrong one.
  mutating func passOver(file url: String) {
    if passedOver.count == UpdateLimits.lackingFiles { passedOver.removeFirst() }
    passedOver.append(url)
  }

  /// The server of `url` has failed.
  mutating func passOver(serverOf url: String) {
    for index in urls.indices where url.utf8.starts(with: "\(urls[index])/".utf8) { cooldown.begin(index) }
  }

  /// What came of the last file is wrong: no depot that had a part in it is asked for it again; false if none had.
  mutating func leaveUsed() -> Bool {
    if used.isEmpty { return false }
    for url in used { passOver(file: url) }
    used = []
    return true
  }

  /// One of them serves `path` as `url`.
  func has(_ url: String, as path: String) -> Bool { urls.contains { "\($0)/\(path)" == url } }
}
