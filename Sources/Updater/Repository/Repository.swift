internal import Crypto
internal import Platform
internal import Store
internal import Transport
internal import Trust

/// A repository, wherever it is served from.
struct Repository: ~Copyable {
  /// Nil if none is set: then only what needs no network works.
  private let base: String?
  private let configuration: Configuration
  private var client: Client
  private let heartbeat: Heartbeat

  /// Opens no connection yet.
  init(_ configuration: Configuration, _ heartbeat: Heartbeat) throws(UpdateError) {
    self.client = try wrap(transport: Client(configuration.transport, shouldStop: heartbeat.shouldStop))
    self.heartbeat = heartbeat
    base = configuration.repository
    self.configuration = configuration
  }

  /// Bytes of all bodies so far.
  package var downloaded: UInt64 { client.downloaded }

  /// Asks what there is for this device.
  ///
  /// `installed`: the catalog of the installed release.
  mutating func offer(installed: Digest?, _ observer: inout some UpdateObserver) throws(UpdateError) -> Offer
  {
    let url = try url("metadata/")
    var finder = try ReleaseFinder(configuration, heartbeat)
    let offer = try finder.offer(
      below: url, application: configuration.applicationVersion, installed: installed, &client, &observer)
    guard offer.newest != nil else { throw .noReleases(url: url) }
    return offer
  }

  /// Fetches a file behind what `sink` has of it, up to exactly `size` bytes.
  mutating func fetch<Sink: ByteSink & ~Copyable>(
    _ path: String, size: UInt64, into sink: inout Sink, _ observer: inout some UpdateObserver
  ) throws(UpdateError) {
    let url = try url(path)
    try wrap(transport: client.fetch(Request(url, size: size), into: &sink, observer: &observer))
  }

  /// The repository is still there, as its timestamp is: what it says of its other files can be believed.
  ///
  /// A stick that was pulled out has none of its files, and that says nothing about any of them.
  mutating func isServed() throws(UpdateError) -> Bool {
    let request = Request(try url("metadata/timestamp.json"), limit: Trust.Limits.timestamp)
    var (sink, observer) = (MemorySink(), SilentObserver())
    do throws(TransportError) {
      try client.fetch(request, into: &sink, observer: &observer)
      return true
    } catch {
      if error == .cancelled { throw .cancelled }
      return false
    }
  }

  /// The full URL of a path that a catalog names.
  func url(_ path: String) throws(UpdateError) -> String {
    guard let base else { throw .noRepository }
    // A stick or a bundle on the medium is no connection.
    if configuration.isOffline && !base.utf8.starts(with: "file:".utf8) { throw .offline }
    return "\(base)/\(path)"
  }
}
