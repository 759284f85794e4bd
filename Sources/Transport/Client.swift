package import Platform

/// Fetches over http, https and file, one request after the other over one connection.
package struct Client: ~Copyable {
  let handle: CurlHandle
  private let settings: TransportSettings
  /// Asked several times a second, also within libcurl; true ends a request with `cancelled`.
  let shouldStop: () -> Bool
  /// The same where libcurl is not at work.
  private let shouldStopAtRest: () -> Bool
  /// Bytes of all bodies so far, those that were thrown away too.
  package private(set) var downloaded: UInt64 = 0
  /// Nil: there is no limit.
  private let allowance: DownloadAllowance?
  private let rate: RateLimiter?
  /// Read when the first server is asked.
  private var credentials: ServerCredentials?

  package init(
    _ settings: TransportSettings, allowance: DownloadAllowance? = nil,
    shouldStop: @escaping () -> Bool, atRest shouldStopAtRest: (() -> Bool)? = nil
  ) throws(Failure) {
    let handle = try CurlHandle()
    try handle.configure(settings)
    self.handle = handle
    self.settings = settings
    self.allowance = allowance
    rate = settings.rateLimit.map { RateLimiter($0) }
    self.shouldStop = shouldStop
    self.shouldStopAtRest = shouldStopAtRest ?? shouldStop
  }

  /// Streams what `request` asks for into `sink`, after the bytes that the sink has already.
  ///
  /// Nothing but a 206 with exactly the range that was asked for is appended, or what follows it in a body without a
  /// length; a 200 of the right length starts the sink again. After a broken connection the request is retried with
  /// growing pauses, and resumes where it broke. An answer that ends in order and is not the file, such as a login page,
  /// is a broken connection too, and takes nothing from the sink.
  package mutating func fetch<Sink: ByteSink & ~Copyable>(
    _ request: Request, into sink: inout Sink, observer: inout some TransportObserver
  ) throws(Failure) {
    try Destination.with(&sink, &observer) { (destination) throws(Failure) in
      try fetch(request, to: destination)
    }
  }

  private mutating func fetch(_ request: Request, to destination: Destination) throws(Failure) {
    try authorize(request.url)
    let allowance = request.isLocal ? nil : allowance
    defer { allowance?.settle() }
    var progress = RequestProgress(request, settings: settings, from: destination.count())
    while true {
      if let size = request.size {
        if destination.count() == size { return }
        if destination.count() > size { try destination.reset() }
      }
      if let allowance, allowance.left == 0 { throw allowance.failure }
      let before = destination.count()
      let outcome = try Transfer.run(
        handle, request: request, destination: destination, progress: &progress, allowance: allowance,
        rate: request.isLocal ? nil : rate, downloaded: &downloaded,
        shouldStop: shouldStop, atRest: shouldStopAtRest)
      let (cause, retryAfter): (String, UInt64?)
      switch outcome {
      case .ended(let size, let isPart):
        guard let size = request.size ?? size, destination.count() != size else { return }
        guard !request.isLocal else {
          throw .wrongSize(url: request.url, expected: size, found: destination.count())
        }
        // A server may send less than it was asked for (RFC 9110, section 15.3.7).
        if isPart && destination.count() >= before + TransportLimits.part { continue }
        (cause, retryAfter) = (
          "it ended after \(ByteCount(destination.count()).text) of \(ByteCount(size).atLeast)", nil
        )
      case .startOver(let status):
        if request.isLocal { try destination.reset() }
        guard progress.mayStartOver() else { throw .refused(url: request.url, status: status) }
        // The first is the file that has changed; after that the server contradicts itself.
        if progress.startOvers > 1 { try wait(progress.pause(after: nil)) }
        continue
      case .broken(let reason, let seconds): (cause, retryAfter) = (reason, seconds)
      case .slow(let reason): (cause, retryAfter) = (reason, nil)
      }
      progress.earn(destination.count())
      guard progress.mayTryAgain, !(request.hasAlternative && outcome.wantsTime) else {
        throw .unreachable(url: request.url, cause: cause, attempts: progress.attempt)
      }
      let pause = progress.pause(after: retryAfter)
      destination.lostConnection(request.url, cause, progress.attempt, pause)
      progress.isLost = true
      try wait(pause)
      progress.attempt += 1
    }
  }

  /// Has the next request prove who this device is, where something is set for its server.
  mutating func authorize(_ url: String) throws(Failure) {
    let isSecure = url.utf8.starts(with: "https:".utf8)
    if isSecure { try settings.checkCredentials() }
    guard let path = settings.authorization, isSecure || url.utf8.starts(with: "http:".utf8) else { return }
    let known: ServerCredentials
    if let credentials {
      known = credentials
    } else {
      known = try ServerCredentials(path)
      if let entry = settings.proxy.flatMap({ known.entry(for: $0) }) {
        // A token would become a user's name.
        guard entry.scheme == .basic else {
          throw .badCredentials(cause: "\(path): a proxy takes \"basic USER:PASSWORD\" only")
        }
        try handle.authorizeProxy(by: entry)
      }
      credentials = known
    }
    let entry = known.entry(for: url)
    guard entry == nil || isSecure else {
      throw .badCredentials(cause: "\(path) names \(url.server), and secrets go over https only")
    }
    try handle.authorize(by: entry)
  }

  private func wait(_ milliseconds: UInt64) throws(Failure) {
    let end = Clock.milliseconds + milliseconds
    while true {
      if shouldStopAtRest() { throw .cancelled }
      let now = Clock.milliseconds
      if now >= end { return }
      Clock.sleep(milliseconds: min(end - now, 200))
    }
  }
}
