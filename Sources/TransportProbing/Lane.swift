internal import CCurl
internal import Platform
internal import Transport

/// One handle of libcurl, and what it has received of the answer to its question.
final class Lane {
  let raw: UnsafeMutableRawPointer
  /// Nil if it has nothing to do.
  var question: Probe.Question?
  private(set) var index = 0
  private(set) var attempt = 0
  private var head = ProbeHead()
  private var lines = 0
  private var received: UInt64 = 0

  /// Lines of a head, and bytes of a page that comes with an error, which are read to keep the connection.
  private static let (maximumLines, maximumPage) = (1000, UInt64(64 << 10))

  /// - `seconds`: how long one answer may take.
  init?(_ settings: TransportSettings, timeout seconds: Int) {
    guard let raw = curl_easy_init() else { return nil }
    self.raw = raw
    let numbers: [(CURLoption, Int)] = [
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 1), (CURLOPT_MAXREDIRS, 5),
      (CURLOPT_CONNECTTIMEOUT, 15),
      (CURLOPT_TIMEOUT, seconds), (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
      (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
    ]
    let key = settings.clientKey ?? settings.clientCertificate
    let texts: [(CURLoption, String?)] = [
      (CURLOPT_PROTOCOLS_STR, "http,https"), (CURLOPT_USERAGENT, "tinypublish/\(productVersion)"),
      (CURLOPT_CAINFO, settings.certificateAuthorities), (CURLOPT_SSLCERT, settings.clientCertificate),
      (CURLOPT_SSLKEY, key),
    ]
    let onHead: tu_curl_data_fn = { data, size, count, context in
      guard let data, let context else { return 0 }
      let bytes = UnsafeRawBufferPointer(start: data, count: min(size * count, 1024)).filter { $0 != 10 }
      let lane = Unmanaged<Lane>.fromOpaque(context).takeUnretainedValue()
      return lane.receive(head: String(decoding: bytes, as: UTF8.self)) ? size * count : 0
    }
    let onBody: tu_curl_data_fn = { _, size, count, context in
      guard let context else { return 0 }
      let lane = Unmanaged<Lane>.fromOpaque(context).takeUnretainedValue()
      return lane.receive(body: size * count) ? size * count : 0
    }
    let this = Unmanaged.passUnretained(self).toOpaque()
    let results =
      numbers.map { tu_curl_set_long(raw, $0.0, $0.1) }
      + texts.compactMap { (option, text) in text.map { tu_curl_set_string(raw, option, $0) } }
      + [
        tu_curl_set_data_fn(raw, CURLOPT_HEADERFUNCTION, onHead),
        tu_curl_set_pointer(raw, CURLOPT_HEADERDATA, this),
        tu_curl_set_data_fn(raw, CURLOPT_WRITEFUNCTION, onBody),
        tu_curl_set_pointer(raw, CURLOPT_WRITEDATA, this),
      ]
    guard results.allSatisfy({ $0 == CURLE_OK }) else {
      close()
      return nil
    }
  }

  /// Must be called once, after the handle has left its multi handle.
  func close() { curl_easy_cleanup(raw) }

  /// Sets the request; false if libcurl has no memory.
  func prepare(_ question: Probe.Question, index: Int, attempt: Int) -> Bool {
    self.question = question
    (self.index, self.attempt) = (index, attempt)
    (head, lines, received) = (ProbeHead(), 0, 0)
    let isSecure = question.url.hasPrefix("https:")
    return tu_curl_set_string(raw, CURLOPT_URL, question.url) == CURLE_OK
      // Only the last byte: that of a shorter file is another one, and its size is named.
      && tu_curl_set_string(raw, CURLOPT_RANGE, "\(question.size - min(question.size, 1))-") == CURLE_OK
      && tu_curl_set_string(raw, CURLOPT_REDIR_PROTOCOLS_STR, isSecure ? "https" : "http,https") == CURLE_OK
  }

  private func receive(head line: String) -> Bool {
    lines += 1
    head.take(line)
    return lines <= Lane.maximumLines
  }

  /// A whole file is not wanted: what was asked for is known by its head.
  private func receive(body count: Int) -> Bool {
    received += UInt64(count)
    return head.status != 200 && received <= Lane.maximumPage
  }

  func answer(_ result: CURLcode) -> ProbeAnswer {
    // Stopped by this side, because the head says enough.
    let isEnough = result == CURLE_OK || result == CURLE_WRITE_ERROR && lines <= Lane.maximumLines
    let cause = isEnough ? nil : String(platformString: curl_easy_strerror(result))
    return ProbeAnswer(head, failure: cause)
  }
}
