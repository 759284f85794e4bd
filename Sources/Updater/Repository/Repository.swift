internal import Catalog
internal import Crypto
internal import MapModel
internal import Platform
internal import Releases
internal import Store
internal import Transport
internal import Trust

/// A repository, wherever it is served from: one connection for all operations of a process.
final class Repository {
  private var mirrors: Mirrors
  private var depots: Depots
  /// The server that did not have a file that was asked for last.
  private var lacking: String?
  /// How many files one server did not have, or did not give, while another did not answer.
  private(set) var unanswered: UInt64 = 0
  /// What is asked in place of a server, if it was named.
  let bundle: Bundle?
  /// What the bundle has: it says so only once, if it is a stream.
  private var bundleOffer: Offer?
  private var downloadedFromBundle: UInt64 = 0
  private let configuration: Configuration
  private var client: Client
  private let heartbeat: Heartbeat
  private let events: ActivityPublisher
  private let exposure: Exposure

  /// What the process keeps within reach while it reads what comes from the repository.
  enum Exposure: Equatable {
    /// Everything: another program's process, or what came with the device.
    case unconfined
    /// What `Configuration.confine` leaves.
    case confined
  }

  /// Opens no connection yet.
  init(
    _ configuration: Configuration, heartbeat: Heartbeat, events: ActivityPublisher,
    exposure: Exposure = .unconfined
  ) throws(Failure) {
    let allowance = try configuration.allowance()
    client = try Client(
      configuration.transport, allowance: allowance, shouldStop: heartbeat.shouldStopWithinCall,
      atRest: heartbeat.shouldStop)
    mirrors = Mirrors(configuration.usableMirrors)
    depots = Depots(configuration.usableDepots)
    if let path = configuration.bundle {
      try Repository.confine(configuration, exposure)
      bundle = try Bundle.open(path, shouldStop: heartbeat.shouldStop)
    } else {
      bundle = nil
    }
    self.configuration = configuration
    self.heartbeat = heartbeat
    self.events = events
    self.exposure = exposure
  }

  /// Before the first byte from outside: the only way to it is through here.
  private static func confine(_ configuration: Configuration, _ exposure: Exposure) throws(Failure) {
    guard exposure == .confined else { return }
    // Its parents are out of reach then.
    _ = try Directory(making: configuration.root)
    configuration.confine(starting: .indexCommand)
  }

  /// Bytes of all bodies so far.
  var downloaded: UInt64 { client.downloaded + downloadedFromBundle }

  /// Asks what there is for this device.
  func offer(installed: CatalogedRelease?) throws(Failure) -> Offer {
    if let bundleOffer { return bundleOffer }
    if let bundle {
      var finder = try ReleaseFinder(configuration, heartbeat: heartbeat)
      let offer = try finder.offer(
        from: bundle, application: configuration.applicationVersion, installed: installed)
      guard !offer.isEmpty else { throw .noReleases(url: bundle.path) }
      bundleOffer = offer
      return offer
    }
    let offer = try asking { (server, retries) throws(Failure) in
      try self.offer(of: server, retries: retries, installed: installed)
    }
    return try newest(of: offer, installed: installed)
  }

  private func offer(
    of server: String, retries: Int?, installed: CatalogedRelease?
  ) throws(Failure) -> Offer {
    var finder = try ReleaseFinder(configuration, heartbeat: heartbeat)
    let offer = try finder.offer(
      below: "\(server)/metadata/", retries: retries, application: configuration.applicationVersion,
      installed: installed, client: &client, events: events)
    guard !offer.isEmpty else { throw .noReleases(url: "\(server)/metadata/") }
    return offer
  }

  /// The newest of what the servers have, of which one has answered: each of them may be behind.
  ///
  /// One that does not answer, or has older ones, is asked last for what follows.
  private func newest(of first: Offer, installed: CatalogedRelease?) throws(Failure) -> Offer {
    var newest = first
    for server in mirrors.others {
      do throws(Failure) {
        // It is not older, as its signatures are not.
        let offer = try offer(of: server, retries: 0, installed: installed)
        if offer.newest?.number ?? 0 > newest.newest?.number ?? 0 { mirrors.use(server) }
        newest = offer
      } catch {
        // What this device lacks itself is not the fault of the server.
        guard error.isOfServer || error.disposition == .retryLater else { throw error }
        mirrors.passOver(server)
        events.publish(.notice(.serverFailed(url: server, reason: error.serverFailure)))
      }
    }
    return newest
  }

  /// Fetches what follows the bytes that `sink` has of a file, up to exactly `size` bytes.
  func fetch<Sink: ByteSink & ~Copyable>(
    _ path: String, size: UInt64, into sink: inout Sink
  ) throws(Failure) {
    if let bundle {
      if sink.count == size { return }
      downloadedFromBundle += try bundle.fetch(
        path, size: size, into: &sink, progress: events.received, shouldStop: heartbeat.shouldStop)
      return
    }
    if try fetchFromDepot(path, size: size, into: &sink) { return }
    var events = events
    try asking { (server, retries) throws(Failure) in
      var request = Request("\(server)/\(path)", size: size)
      request.retries = retries
      try client.fetch(request, into: &sink, observer: &events)
    }
  }

  /// The same from a depot; false if none has it, or not to its end.
  private func fetchFromDepot<Sink: ByteSink & ~Copyable>(
    _ path: String, size: UInt64, into sink: inout Sink
  ) throws(Failure) -> Bool {
    depots.begin(path)
    var events = events
    for url in depots.candidates(for: path) {
      try Repository.confine(configuration, exposure)
      var request = Request(url, size: size)
      request.retries = UpdateLimits.retriesBeforeOther
      let before = sink.count
      do throws(Failure) {
        try client.fetch(request, into: &sink, observer: &events)
        depots.use(url)
        return true
      } catch {
        if sink.count != before { depots.use(url) }
        guard error.isOfServer else {
          if error.blamesServer { depots.use(url) }
          throw error
        }
        if error.isOfOneFile {
          depots.passOver(file: url)
        } else {
          depots.passOver(serverOf: url)
          self.events.publish(.notice(.serverFailed(url: url, reason: error.serverFailure)))
        }
      }
    }
    return false
  }

  /// The repository is still there, as its timestamp is: what it says of its other files can be believed.
  ///
  /// A stick that was pulled out has none of its files, and that says nothing about any of them.
  func isServed() throws(Failure) -> Bool {
    if bundle != nil { return true }
    guard let server = lacking ?? mirrors.current else { return false }
    let request = Request("\(server)/metadata/timestamp.json", limit: TrustLimits.timestamp)
    var (sink, observer) = (MemorySink(), SilentObserver())
    do throws(Failure) {
      try client.fetch(request, into: &sink, observer: &observer)
      return true
    } catch {
      if error.isCancelled { throw .cancelled }
      return false
    }
  }

  /// Whether a server gives a file to this device; nothing of it is downloaded.
  func gives(_ path: String) throws(Failure) -> Bool {
    do throws(Failure) {
      try asking { (server, retries) throws(Failure) in
        var request = Request("\(server)/\(path)", limit: 1)
        request.retries = retries
        var (sink, observer) = (MemorySink(), SilentObserver())
        do throws(Failure) { try client.fetch(request, into: &sink, observer: &observer) } catch {
          // It comes, and more of it was not asked for.
          guard case .tooLong = error else { throw error }
        }
      }
      return true
    } catch {
      guard error.denial != nil else { throw error }
      return false
    }
  }

  // MARK: - Servers

  /// A run may end in the middle of a file, and has to be resumable at every byte.
  var isLimited: Bool {
    isMetered && (configuration.download.perRun != nil || configuration.download.perDay != nil)
  }

  /// It comes over a network, on which a file can be altered, or from a cache with a damaged copy of it.
  var isRemote: Bool { isMetered }

  /// What is fetched may cost by the byte.
  var isMetered: Bool {
    guard bundle == nil else { return false }
    let sources = [mirrors.current].compactMap { $0 } + configuration.usableDepots
    return sources.isEmpty || !sources.allSatisfy { Configuration.isLocal($0) }
  }

  /// Has `body` ask one server after the other until one has what it wants.
  ///
  /// - `body`: gets the base URL, and how often a request is tried again; nil: as the configuration says.
  private func asking<Result>(
    _ body: (String, Int?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try checkConnection()
    try Repository.confine(configuration, exposure)
    if isMetered { OnlineRun.begin() }
    lacking = nil
    var (failure, isUnanswered) = (nil as Failure?, false)
    let candidates = mirrors.candidates
    for candidate in candidates {
      do throws(Failure) {
        let result = try body(candidate.url, candidate.isPatient ? nil : UpdateLimits.retriesBeforeOther)
        mirrors.use(candidate.url)
        return result
      } catch {
        guard candidates.count > 1, error.isOfServer else { throw error }
        mirrors.passOver(candidate.url)
        events.publish(.notice(.serverFailed(url: candidate.url, reason: error.serverFailure)))
        // That one of them does not have a file is what something can be done about.
        let isDenied = error.deniedURL != nil
        if isDenied { lacking = candidate.url } else { isUnanswered = true }
        if failure == nil || isDenied || candidate.isPatient && lacking == nil { failure = error }
      }
    }
    if lacking != nil && isUnanswered { unanswered += 1 }
    throw failure ?? .noRepository
  }

  /// What came last was wrong, as `error` says; true if there is another server to get it from.
  func leaveServer(because error: Failure) -> Bool {
    guard bundle == nil, error.blamesServer else { return false }
    if depots.leaveUsed() { return true }
    guard let server = mirrors.current, mirrors.leaveCurrent() else { return false }
    events.publish(.notice(.serverFailed(url: server, reason: error.serverFailure)))
    return true
  }

  /// An error about `url` is one about the file with this name in the repository.
  func isURL(_ url: String, of path: String) -> Bool {
    shown(path) == url || mirrors.has(url, as: path) || depots.has(url, as: path)
  }

  /// The error about a stored container, with the container's name as messages show it.
  func showing(_ error: Failure) -> Failure {
    if case .patch(let url, let cause, let fault) = error {
      .patch(path: shown(url), cause: cause, fault)
    } else {
      error
    }
  }

  private func checkConnection() throws(Failure) {
    guard mirrors.current == nil else { return }
    throw configuration.mirrors.isEmpty ? .noRepository : .offline
  }

  /// The same for messages, also where it may not be asked.
  func shown(_ path: String) -> String {
    if let url = depots.used.last, depots.has(url, as: path) { return url }
    return bundle?.shown(path) ?? (mirrors.current ?? configuration.repository).map { "\($0)/\(path)" }
      ?? path
  }
}
