internal import CCurl
internal import Platform

/// One attempt at a request.
enum Transfer {
  /// How an attempt ended, short of an error that ends the request.
  enum Outcome {
    /// The body came to its end; the file has `size` bytes, if the server has said so, and this was a part of it.
    case ended(size: UInt64?, isPart: Bool)
    /// What the sink holds does not belong to what the server has now.
    case startOver(status: Int)
    case broken(cause: String, retryAfter: UInt64?)
    /// The same, because too few bytes came for too long.
    case slow(cause: String)

    /// Another attempt would begin late, or be slow as well.
    var wantsTime: Bool {
      switch self {
      case .slow: true
      case .broken(_, let retryAfter): retryAfter.map { $0 > 0 } ?? false
      case .ended, .startOver: false
      }
    }
  }

  static func run(
    _ handle: borrowing CurlHandle, request: Request, destination: Destination,
    progress: inout RequestProgress, allowance: DownloadAllowance?, rate: RateLimiter?,
    downloaded: inout UInt64,
    shouldStop: @escaping () -> Bool, atRest shouldStopAtRest: () -> Bool
  ) throws(Failure) -> Outcome {
    let offset = progress.question == .whole ? 0 : destination.count()
    var state = TransferState(
      request: request, offset: offset, progress: progress, allowance: allowance, rate: rate,
      shouldStop: shouldStop)
    try handle.set(CURLOPT_URL, to: request.url)
    try handle.setSlowness(of: request, stallTimeout: progress.stallTimeout)
    let isRange = progress.question == .range || offset > 0
    try handle.set(CURLOPT_RANGE, to: range(of: request, from: offset, isRange: isRange, upTo: allowance))
    let protocols = request.url.utf8.starts(with: "https:".utf8) ? "https" : "http,https"
    // A redirect never leaves TLS, nor reads files.
    try handle.set(CURLOPT_REDIR_PROTOCOLS_STR, to: protocols)

    // C cannot carry a Swift error: what went wrong in the callbacks waits in `state` until curl has returned.
    let result = withUnsafeMutablePointer(to: &state) { state in
      var callbacks = Callbacks(
        head: { line, count in state.pointee.receive(line, of: count) },
        body: { bytes in state.pointee.receive(bytes, to: destination) },
        progress: { received in state.pointee.mayContinue(received) })
      return withUnsafeMutablePointer(to: &callbacks) {
        perform(handle, callbacks: $0, shouldStop: shouldStopAtRest)
      }
    }
    downloaded += state.downloaded
    progress = state.progress
    progress.spend(state.waited)
    if let failure = state.failure { throw failure }
    if state.mustStartOver { return .startOver(status: state.head.status) }
    return try state.outcome(result, of: handle)
  }

  /// What of the file is asked for; nil: all of it.
  ///
  /// No more than may be received: what is on its way when a transfer stops costs as well.
  private static func range(
    of request: Request, from offset: UInt64, isRange: Bool, upTo allowance: DownloadAllowance?
  ) -> String? {
    if let size = request.size, let allowance, allowance.left < size - min(size, offset) {
      return "\(offset)-\(offset + allowance.left - 1)"
    }
    return isRange ? "\(offset)-" : nil
  }

  private static func perform(
    _ handle: borrowing CurlHandle, callbacks: UnsafeMutablePointer<Callbacks>, shouldStop: () -> Bool
  ) -> CURLcode {
    let raw = handle.raw
    let onHead: tu_curl_data_fn = { data, size, count, context in
      guard let data, let callbacks = context?.assumingMemoryBound(to: Callbacks.self) else { return 0 }
      let shown = min(size * count, TransportLimits.headerLine)
      let bytes = UnsafeRawBufferPointer(start: data, count: shown)
      let line = String(decoding: bytes, as: UTF8.self).withoutLineEnd
      return callbacks.pointee.head(line, size * count) ? size * count : 0
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
      tu_curl_set_pointer(raw, CURLOPT_XFERINFODATA, callbacks),
      tu_curl_set_progress_fn(raw) { context, _, received, _, _ in
        guard let callbacks = context?.assumingMemoryBound(to: Callbacks.self) else { return 1 }
        return callbacks.pointee.progress(UInt64(clamping: received)) ? 0 : 1
      },
    ]
    for result in options where result != CURLE_OK { return result }
    return handle.perform(shouldStop)
  }

  private struct Callbacks {
    /// A line, and how many bytes it has in fact; false stops the transfer, as it does below.
    let head: (String, Int) -> Bool
    let body: (RawSpan) -> Bool
    /// The bytes of the body that is being received, also of one that is discarded.
    let progress: (UInt64) -> Bool
  }
}

extension String {
  fileprivate var withoutLineEnd: String {
    var bytes = utf8[...]
    while bytes.last == 10 || bytes.last == 13 { bytes = bytes.dropLast() }
    return String(decoding: Array(bytes), as: UTF8.self)
  }
}
