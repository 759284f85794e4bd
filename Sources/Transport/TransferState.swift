internal import CCurl
internal import Platform

/// What one attempt has seen so far.
struct TransferState {
  /// What happens to the body of an answer.
  private enum Reception {
    /// Its head may not be complete.
    case undecided
    /// It goes to the sink, without its first `known` bytes, which the sink has.
    case stored(known: UInt64)
    /// It is all of the file, and goes to the sink in place of what that has.
    case replacing
    /// It is of no use, but a connection survives only if it is read to its end.
    case discarded
    case refused
  }

  let request: Request
  /// Where in the file the bytes begin that this attempt asks for.
  let offset: UInt64
  private(set) var progress: RequestProgress
  private let allowance: DownloadAllowance?
  private let rate: RateLimiter?
  private let shouldStop: () -> Bool
  private(set) var head = ResponseHead()
  /// Bytes and lines of all heads of this attempt, those of redirects and trailers too.
  private var headers = (bytes: 0, lines: 0)
  private var reception = Reception.undecided
  /// Bytes of a body that is of no use.
  private var page: UInt64 = 0
  private(set) var downloaded: UInt64 = 0
  private(set) var failure: Failure?
  private(set) var mustStartOver = false
  /// What the server does that ends this attempt, in the words of a message.
  private var misconduct: String?
  private let begin = Clock.milliseconds
  /// Milliseconds that the sink took.
  private var timeInSink: UInt64 = 0

  init(
    request: Request, offset: UInt64, progress: RequestProgress, allowance: DownloadAllowance?,
    rate: RateLimiter?, shouldStop: @escaping () -> Bool
  ) {
    self.request = request
    self.offset = offset
    self.progress = progress
    self.allowance = allowance
    self.rate = rate
    self.shouldStop = shouldStop
  }

  /// Milliseconds that the server took for what it has sent; an attempt without a word from it is bounded by
  /// the timeouts of a connection.
  var waited: UInt64 {
    let all = Clock.milliseconds - begin
    return headers.lines == 0 && downloaded == 0 ? 0 : all - min(all, timeInSink)
  }

  // MARK: - Called while the transfer runs; false stops it

  /// Takes a line of a head or of the trailers, `count` bytes on the wire.
  mutating func receive(_ line: String, of count: Int) -> Bool {
    headers.bytes += count
    headers.lines += 1
    guard headers.bytes <= TransportLimits.headers, headers.lines <= TransportLimits.headerLines else {
      misconduct =
        "more than \(TransportLimits.headers >> 10) KiB or \(TransportLimits.headerLines) lines of headers"
      return false
    }
    // What follows the body changes nothing of what was decided by its head.
    if case .undecided = reception { head.take(line) }
    return true
  }

  /// Compares with the bounds of one attempt; `received` are the bytes of the body that curl has seen.
  ///
  /// Where these are more than were passed on, the body is that of a redirect, and is discarded.
  mutating func mayContinue(_ received: UInt64) -> Bool {
    if shouldStop() { return false }
    guard received <= downloaded + TransportLimits.discardedPage else {
      misconduct = "the page with a redirect does not end"
      return false
    }
    guard waited < max(progress.time, 1) else {
      misconduct = "slower than \(TransportLimits.slowest) bytes a second overall"
      return false
    }
    return true
  }

  /// Takes a piece of the body.
  mutating func receive(_ bytes: RawSpan, to destination: Destination) -> Bool {
    let start = Clock.milliseconds
    defer { timeInSink += Clock.milliseconds - start }
    downloaded += UInt64(bytes.byteCount)
    allowance?.spend(bytes.byteCount)
    defer { rate?.pace(bytes.byteCount, shouldStop: shouldStop) }
    if case .undecided = reception {
      reception = judge(holding: destination.count())
      if case .replacing = reception {
        guard store({ () throws(Failure) in try destination.reset() }) else { return false }
        reception = .stored(known: 0)
      }
      if case .stored = reception, progress.isLost { destination.foundConnection() }
      if case .stored = reception { progress.isLost = false }
    }
    switch reception {
    case .undecided, .replacing, .refused: return false
    case .discarded:
      page += UInt64(bytes.byteCount)
      return page <= TransportLimits.discardedPage
    case .stored(let known):
      let skipped = min(known, UInt64(bytes.byteCount))
      reception = .stored(known: known - skipped)
      guard pass(bytes.extracting(Int(skipped)...), to: destination) else { return false }
    }
    destination.received(destination.count())
    // A server without ranges sends more than it was asked for.
    if let allowance, allowance.left == 0, destination.count() < request.size ?? .max {
      failure = allowance.failure
      return false
    }
    return true
  }

  private mutating func pass(_ bytes: RawSpan, to destination: Destination) -> Bool {
    let end = destination.count() + UInt64(bytes.byteCount)
    guard end <= request.limit else {
      failure =
        request.size.map { .wrongSize(url: request.url, expected: $0, found: end) }
        ?? .tooLong(url: request.url, limit: request.limit)
      return false
    }
    return store { () throws(Failure) in try destination.write(bytes) }
  }

  // MARK: - Is it the file?

  /// Decides by the head what the body is; `count` bytes of the file are there.
  private mutating func judge(holding count: UInt64) -> Reception {
    switch head.status {
    case 0: return .stored(known: 0)  // file: the range was applied
    case 200: return judgeWhole(count)
    case 206: return judgePart(count)
    case 400...: return .discarded
    default:
      failure = .refused(url: request.url, status: head.status)
      return .refused
    }
  }

  /// What the sink holds stays, unless all of the file follows.
  private mutating func judgeWhole(_ count: UInt64) -> Reception {
    if let size = request.size, head.length.map({ $0 != size }) ?? head.isPage {
      doubt(head.length, of: size, isRange: false)
      return .discarded
    }
    let validator = progress.validator
    let isContinued = progress.question != .whole && count > 0
    guard !isContinued || progress.mayStartOver() else {
      misconduct = "the server keeps sending it from the start"
      return .refused
    }
    guard isContinued && head.length == nil && request.size != nil else {
      progress.accept(head.validator)
      return count > 0 ? .replacing : .stored(known: 0)
    }
    // Only its end will say whether it was the file.
    progress.accept(validator)
    guard validator == nil || head.validator == validator else {
      misconduct = "something else than before"
      return .discarded
    }
    return .stored(known: count)
  }

  private mutating func judgePart(_ count: UInt64) -> Reception {
    let total = head.range?.total
    if let size = request.size, let total, total != size {
      doubt(total, of: size, isRange: true)
      return .refused
    }
    let isExact = head.range?.part?.lowerBound == offset && (request.size == nil || total != nil)
    mustStartOver = !isExact || progress.validator != nil && head.validator != progress.validator
    if mustStartOver { return .refused }
    progress.accept(head.validator)
    return offset < count ? .replacing : .stored(known: 0)
  }

  /// The body has another length than the file, be it that of a page in its place or that of what the server has.
  private mutating func doubt(_ length: UInt64?, of size: UInt64, isRange: Bool) {
    misconduct =
      head.isPage
      ? "a web page in place of the file"
      : "\(isRange ? "a part of " : "")\(length ?? 0) bytes in place of \(size)"
    guard !head.isPage && !head.isRedirected else { return progress.doubt() }
    guard progress.isCertain(length, isRange: isRange), let length else { return }
    failure =
      length < size
      ? .incomplete(url: request.url, expected: size, found: length)
      : .wrongSize(url: request.url, expected: size, found: length)
  }

  private mutating func store(_ action: () throws(Failure) -> Void) -> Bool {
    do throws(Failure) { try action() } catch {
      failure = error
      return false
    }
    return true
  }

  /// What the end of the transfer means.
  func outcome(_ result: CURLcode, of handle: borrowing CurlHandle) throws(Failure) -> Transfer.Outcome {
    if let misconduct { return .broken(cause: misconduct, retryAfter: nil) }
    if result == CURLE_OK || page > TransportLimits.discardedPage { return try outcomeByStatus() }
    let cause = handle.sentence(result)
    if handle.tunnelStatus >= 400 { return try outcomeByTunnel(handle.tunnelStatus) }
    switch FailureKind(result) {
    case .aborted: throw .cancelled
    case .badCredentials: throw .badCredentials(cause: cause)
    case .badAuthorities: throw .badAuthorities(path: progress.authorities)
    case .untrusted: throw .untrustedServer(url: request.url, cause: handle.certificateFlaw.sentence)
    case .shorter: return .startOver(status: 416)
    case .missing: throw .noSuchFile(url: request.url)
    case .badURL: throw .badURL(url: request.url, cause: cause)
    case .transient where result == CURLE_OPERATION_TIMEDOUT: return .slow(cause: cause)
    case .transient: return .broken(cause: cause, retryAfter: nil)
    }
  }

  private func outcomeByStatus() throws(Failure) -> Transfer.Outcome {
    switch head.status {
    case 0, 200: return .ended(size: nil, isPart: false)
    case 206: return .ended(size: head.range?.total, isPart: true)
    case 416: return .startOver(status: 416)
    case let status where FailureKind.isTransient(status: status):
      return .broken(cause: "the server answered \(status)", retryAfter: head.retryAfter)
    case 407: throw .refusedByProxy(url: request.url, status: 407, proxy: progress.proxy)
    case let status: throw .refused(url: request.url, status: status)
    }
  }

  /// A proxy did not connect to the server.
  private func outcomeByTunnel(_ status: Int) throws(Failure) -> Transfer.Outcome {
    guard FailureKind.isTransient(status: status) else {
      throw .refusedByProxy(url: request.url, status: status, proxy: progress.proxy)
    }
    return .broken(cause: "the proxy answered \(status)", retryAfter: nil)
  }
}
