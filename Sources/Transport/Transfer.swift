internal import CCurl
internal import Platform

/// One attempt at a request.
enum Transfer {
  /// How an attempt ended, short of an error that ends the request.
  enum Outcome {
    case complete
    /// What the sink holds does not belong to what the server has now.
    case startOver(status: Int)
    case broken(cause: String, retryAfter: UInt64?)
  }

  static func run<Sink: ByteSink & ~Copyable, Observer: TransportObserver>(
    _ handle: borrowing CurlHandle, _ request: Request, sink: inout Sink, observer: inout Observer,
    validator: inout String?, downloaded: inout UInt64, isRetry: Bool
  ) throws(TransportError) -> Outcome {
    let offset = sink.count
    var state = TransferState(request: request, offset: offset, validator: validator, isRetry: isRetry)
    try handle.set(CURLOPT_URL, request.url)
    try handle.set(CURLOPT_RANGE, offset > 0 ? "\(offset)-" : nil)
    let protocols = request.url.utf8.starts(with: "https:".utf8) ? "https" : "http,https"
    try handle.set(CURLOPT_REDIR_PROTOCOLS_STR, protocols)  // a redirect never leaves TLS, nor reads files

    // C can carry neither a Swift error nor a generic parameter: the callbacks see two closures, and
    // what went wrong in them waits in `state` until curl has returned.
    let result = withUnsafeMutablePointer(to: &sink) { sink in
      withUnsafeMutablePointer(to: &observer) { observer in
        withUnsafeMutablePointer(to: &state) { state in
          var callbacks = Callbacks(
            head: { line in state.pointee.head.take(line) },
            body: { bytes in state.pointee.receive(bytes, into: &sink.pointee, &observer.pointee) })
          return withUnsafeMutablePointer(to: &callbacks) { perform(handle, $0) }
        }
      }
    }
    downloaded += state.downloaded
    validator = state.head.validator ?? validator
    if let failure = state.failure { throw failure }
    if state.mustStartOver { return .startOver(status: state.head.status) }
    return try state.outcome(result)
  }

  private static func perform(
    _ handle: borrowing CurlHandle, _ callbacks: UnsafeMutablePointer<Callbacks>
  ) -> CURLcode {
    let raw = handle.raw
    let onHead: tu_curl_data_fn = { data, size, count, context in
      guard let data, let callbacks = context?.assumingMemoryBound(to: Callbacks.self) else { return 0 }
      let shown = min(size * count, Limits.headerLine)
      let bytes = UnsafeRawBufferPointer(start: data, count: shown)
      callbacks.pointee.head(String(decoding: bytes, as: UTF8.self).withoutLineEnd)
      return size * count
    }
    let onBody: tu_curl_data_fn = { data, size, count, context in
      guard let callbacks = context?.assumingMemoryBound(to: Callbacks.self) else { return 0 }
      let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
      return callbacks.pointee.body(bytes.bytes) ? bytes.count : 0  // a short count makes curl stop
    }
    let options = [
      tu_curl_set_pointer(raw, CURLOPT_HEADERDATA, callbacks),
      tu_curl_set_data_fn(raw, CURLOPT_HEADERFUNCTION, onHead),
      tu_curl_set_pointer(raw, CURLOPT_WRITEDATA, callbacks),
      tu_curl_set_data_fn(raw, CURLOPT_WRITEFUNCTION, onBody),
      tu_curl_set_progress_fn(raw) { _, _, _, _, _ in Interruption.isRequested ? 1 : 0 },
    ]
    for result in options where result != CURLE_OK { return result }
    return handle.perform()
  }

  private struct Callbacks {
    let head: (String) -> Void
    let body: (RawSpan) -> Bool
  }
}

/// What one attempt has seen so far.
struct TransferState {
  let request: Request
  /// Where in the body this attempt begins.
  let offset: UInt64
  /// What the server called the bytes that the sink holds; nil if no server said so in this run.
  let validator: String?
  let isRetry: Bool
  var head = ResponseHead()
  private var hasBegun = false
  /// Bytes of the page that came with an error.
  private var errorPage = 0
  private(set) var downloaded: UInt64 = 0
  private(set) var failure: TransportError?
  private(set) var mustStartOver = false

  init(request: Request, offset: UInt64, validator: String?, isRetry: Bool) {
    self.request = request
    self.offset = offset
    self.validator = validator
    self.isRetry = isRetry
  }

  /// Takes a piece of the body; false stops the transfer.
  mutating func receive<Sink: ByteSink & ~Copyable>(
    _ bytes: RawSpan, into sink: inout Sink, _ observer: inout some TransportObserver
  ) -> Bool {
    downloaded += UInt64(bytes.byteCount)
    if head.isError {
      // The page that comes with it is of no use, but a connection survives only if it is read to its end.
      errorPage += bytes.byteCount
      return errorPage <= Limits.errorPage
    }
    if !hasBegun {
      guard begin(&sink) else { return false }
      hasBegun = true
      if isRetry { observer.foundConnection() }
    }
    guard sink.count + UInt64(bytes.byteCount) <= request.limit else {
      failure =
        request.size.map {
          .wrongSize(url: request.url, expected: $0, found: sink.count + UInt64(bytes.byteCount))
        }
        ?? .tooLong(url: request.url, limit: request.limit)
      return false
    }
    guard store({ (sink: inout Sink) throws(SinkError) in try sink.write(bytes) }, &sink) else {
      return false
    }
    observer.received(sink.count)
    return true
  }

  /// Decides by the head whether the body belongs behind what the sink holds.
  private mutating func begin<Sink: ByteSink & ~Copyable>(_ sink: inout Sink) -> Bool {
    switch head.status {
    case 0: return true  // file: the range was applied
    case 200:
      guard offset > 0 else { return true }
      return store({ (sink: inout Sink) throws(SinkError) in try sink.restart() }, &sink)
    case 206:
      let isExact =
        head.range?.part?.lowerBound == offset && (request.size == nil || head.range?.total == request.size)
      let isSame = validator == nil || head.validator == validator
      mustStartOver = !isExact || !isSame
      return !mustStartOver
    default:
      failure = .refused(url: request.url, status: head.status)
      return false
    }
  }

  private mutating func store<Sink: ByteSink & ~Copyable>(
    _ action: (inout Sink) throws(SinkError) -> Void, _ sink: inout Sink
  ) -> Bool {
    do throws(SinkError) { try action(&sink) } catch {
      failure = TransportError(error, url: request.url)
      return false
    }
    return true
  }

  /// What the end of the transfer means.
  func outcome(_ result: CURLcode) throws(TransportError) -> Transfer.Outcome {
    if result == CURLE_OK || errorPage > Limits.errorPage { return try outcomeByStatus() }
    // A local file that is shorter than what is here already: what 416 says over http.
    if result == CURLE_BAD_DOWNLOAD_RESUME { return .startOver(status: 416) }
    let cause = CurlHandle.sentence(result)
    switch FailureKind(result) {
    case .aborted: throw .cancelled
    case .untrusted: throw .untrusted(url: request.url, cause: cause)
    case .missing: throw .missing(url: request.url)
    case .badURL: throw .badURL(url: request.url, cause: cause)
    case .transient: return .broken(cause: cause, retryAfter: nil)
    }
  }

  private func outcomeByStatus() throws(TransportError) -> Transfer.Outcome {
    switch head.status {
    case 0, 200, 206: return .complete
    case 416: return .startOver(status: 416)
    case let status where FailureKind.isTransient(status: status):
      return .broken(cause: "the server answered \(status)", retryAfter: head.retryAfter)
    case let status: throw .refused(url: request.url, status: status)
    }
  }
}

extension String {
  fileprivate var withoutLineEnd: String {
    var bytes = utf8[...]
    while bytes.last == 10 || bytes.last == 13 { bytes = bytes.dropLast() }
    return String(decoding: Array(bytes), as: UTF8.self)
  }
}
