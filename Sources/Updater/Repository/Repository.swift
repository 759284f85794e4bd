internal import Catalog
internal import Crypto
internal import Platform
internal import Store
internal import Transport
internal import Trust

/// A repository, wherever it is served from: one connection for all operations of a process.
final class Repository {
  /// Nil if none is set: then only what needs no network works.
  private let base: String?
  /// What is asked in place of a server, if it was named.
  let bundle: Bundle?
  /// What the bundle has: it says so only once, if it is a stream.
  private var bundleOffer: Offer?
  private var downloadedFromBundle: UInt64 = 0
  private let configuration: Configuration
  private var client: Client
  private let heartbeat: Heartbeat
  private let events: ActivityPublisher

  /// Opens no connection yet.
  init(
    _ configuration: Configuration, heartbeat: Heartbeat, events: ActivityPublisher
  ) throws(UpdateError) {
    client = try wrap(transport: Client(configuration.transport, shouldStop: heartbeat.shouldStop))
    base = configuration.repository
    if let path = configuration.bundle {
      bundle = try Bundle.open(path, shouldStop: heartbeat.shouldStop)
    } else {
      bundle = nil
    }
    self.configuration = configuration
    self.heartbeat = heartbeat
    self.events = events
  }

  /// Bytes of all bodies so far.
  var downloaded: UInt64 { client.downloaded + downloadedFromBundle }

  /// Asks what there is for this device.
  ///
  /// - `installed`: the catalog of the installed release.
  func offer(installed: Digest?) throws(UpdateError) -> Offer {
    if let bundleOffer { return bundleOffer }
    if let bundle {
      var finder = try ReleaseFinder(configuration, heartbeat: heartbeat)
      let offer = try finder.offer(
        from: bundle, application: configuration.applicationVersion, installed: installed)
      guard offer.newest != nil else { throw .noReleases(url: bundle.path) }
      bundleOffer = offer
      return offer
    }
    let url = try url("metadata/")
    var finder = try ReleaseFinder(configuration, heartbeat: heartbeat)
    let offer = try finder.offer(
      below: url, application: configuration.applicationVersion, installed: installed, client: &client,
      events: events)
    guard offer.newest != nil else { throw .noReleases(url: url) }
    return offer
  }

  /// Fetches what follows the bytes that `sink` has of a file, up to exactly `size` bytes.
  func fetch<Sink: ByteSink & ~Copyable>(
    _ path: String, size: UInt64, into sink: inout Sink
  ) throws(UpdateError) {
    if let bundle {
      if sink.count == size { return }
      downloadedFromBundle += try bundle.fetch(
        path, size: size, into: &sink, progress: events.received, shouldStop: heartbeat.shouldStop)
      return
    }
    let request = Request(try url(path), size: size)
    var events = events
    do throws(TransportError) { try client.fetch(request, into: &sink, observer: &events) } catch {
      throw UpdateError(error)
    }
  }

  /// The repository is still there, as its timestamp is: what it says of its other files can be believed.
  ///
  /// A stick that was pulled out has none of its files, and that says nothing about any of them.
  func isServed() throws(UpdateError) -> Bool {
    if bundle != nil { return true }
    let request = Request(try url("metadata/timestamp.json"), limit: TrustLimits.timestamp)
    var (sink, observer) = (MemorySink(), SilentObserver())
    do throws(TransportError) {
      try client.fetch(request, into: &sink, observer: &observer)
      return true
    } catch {
      if error == .cancelled { throw .cancelled }
      return false
    }
  }

  /// The same for messages, also where it may not be asked.
  func shown(_ path: String) -> String {
    bundle?.shown(path) ?? base.map { "\($0)/\(path)" } ?? path
  }

  /// The full URL of a path that a catalog names.
  func url(_ path: String) throws(UpdateError) -> String {
    if let bundle { return bundle.shown(path) }
    guard let base else { throw .noRepository }
    // A stick or another local directory needs no connection.
    if configuration.isOffline && !base.utf8.starts(with: "file:".utf8) { throw .offline }
    return "\(base)/\(path)"
  }
}
