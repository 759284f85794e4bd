internal import CCurl
internal import Platform

/// One easy handle of libcurl, and the multi handle that carries it out.
///
/// They keep their connection from one request to the next.
public struct CurlHandle: ~Copyable {
  let raw: UnsafeMutableRawPointer
  private let multi: UnsafeMutableRawPointer
  /// libcurl's sentence about what went wrong last.
  private let text: UnsafeMutablePointer<CChar>

  init() throws(Failure) {
    guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let raw = curl_easy_init() else {
      throw .noNetwork(cause: "no memory")
    }
    guard let multi = curl_multi_init() else {
      curl_easy_cleanup(raw)
      throw .noNetwork(cause: "no memory")
    }
    self.raw = raw
    self.multi = multi
    text = .allocate(capacity: Int(CURL_ERROR_SIZE))
    text.pointee = 0
    _ = tu_curl_set_pointer(raw, CURLOPT_ERRORBUFFER, text)
  }

  @inline(never) deinit {
    curl_easy_cleanup(raw)
    curl_multi_cleanup(multi)
    text.deallocate()
  }

  /// Carries the request out.
  ///
  /// Not `curl_easy_perform`: that looks only once a second whether it is to stop while no bytes come. A failure of the
  /// multi handle itself is `CURLE_FAILED_INIT`.
  func perform(_ shouldStop: () -> Bool) -> CURLcode {
    guard curl_multi_add_handle(multi, raw) == CURLM_OK else { return CURLE_FAILED_INIT }
    defer { curl_multi_remove_handle(multi, raw) }
    var running: CInt = 1
    while true {
      guard curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_FAILED_INIT }
      if running == 0 { break }
      if shouldStop() { return CURLE_ABORTED_BY_CALLBACK }
      guard curl_multi_poll(multi, nil, 0, 200, nil) == CURLM_OK else { return CURLE_FAILED_INIT }
    }
    var left: CInt = 0
    let result = curl_multi_info_read(multi, &left)?.pointee.data.result ?? CURLE_FAILED_INIT
    // A name server that does not answer holds everything up: what was asked for meanwhile counts.
    return result != CURLE_OK && shouldStop() ? CURLE_ABORTED_BY_CALLBACK : result
  }

  /// Sets what is the same for every request.
  func configure(_ settings: TransportSettings) throws(Failure) {
    try set(CURLOPT_NOSIGNAL, to: 1)
    try set(CURLOPT_NOPROGRESS, to: 0)
    try set(CURLOPT_FOLLOWLOCATION, to: 1)
    try set(CURLOPT_MAXREDIRS, to: 5)
    try set(CURLOPT_PROTOCOLS_STR, to: "http,https,file")
    try set(CURLOPT_HTTP_VERSION, to: CURL_HTTP_VERSION_1_1)
    try set(CURLOPT_BUFFERSIZE, to: 32 << 10)
    try set(CURLOPT_CONNECTTIMEOUT, to: settings.connectTimeout)
    try set(CURLOPT_USERAGENT, to: settings.userAgent ?? "tinyupdater/\(productVersion)")
    if let file = settings.certificateAuthorities { try set(CURLOPT_CAINFO, to: file) }
    if let certificate = settings.clientCertificate {
      try set(CURLOPT_SSLCERT, to: certificate)
      try set(CURLOPT_SSLKEY, to: settings.clientKey ?? certificate)
    }
    if let proxy = settings.proxy { try set(CURLOPT_PROXY, to: proxy) }
    // What the proxy says of the connection is not what the server says of the file.
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, to: 1)
  }

  /// Sets how slow a connection may be, and for how many seconds, before it counts as broken.
  func setSlowness(of request: Request, stallTimeout: Int) throws(Failure) {
    let limit = request.hasAlternative ? Int(TransportLimits.slowest) : 100
    try set(CURLOPT_LOW_SPEED_LIMIT, to: limit)
    try set(
      CURLOPT_LOW_SPEED_TIME,
      to: request.hasAlternative ? min(stallTimeout, TransportLimits.slowness) : stallTimeout)
  }

  /// What the proxy answered when it was asked for a connection to the server; 0: nothing.
  var tunnelStatus: Int { information(CURLINFO_HTTP_CONNECTCODE) }

  /// What was wrong with the server's certificate.
  var certificateFlaw: CertificateFlaw {
    CertificateFlaw(verifying: information(CURLINFO_SSL_VERIFYRESULT), text: String(platformString: text))
  }

  func information(_ which: CURLINFO) -> Int {
    var value = 0
    return tu_curl_get_long(raw, which, &value) == CURLE_OK ? value : 0
  }

  /// Tells the server of the next request by `entry` who this device is, and no other server; nil: tells none.
  ///
  /// After a redirect libcurl keeps it back from other hosts, ports and protocols.
  func authorize(by entry: ServerCredentials.Entry?) throws(Failure) {
    let bearer = entry.flatMap { $0.scheme == .bearer ? $0.secret : nil }
    let basic = entry.flatMap { $0.scheme == .basic ? $0.secret : nil }
    try set(CURLOPT_HTTPAUTH, to: bearer == nil ? tu_curl_auth_basic : tu_curl_auth_bearer)
    try set(CURLOPT_XOAUTH2_BEARER, to: bearer)
    try set(CURLOPT_USERPWD, to: basic)
  }

  /// Tells the proxy who this device is.
  func authorizeProxy(by entry: ServerCredentials.Entry) throws(Failure) {
    try set(CURLOPT_PROXYAUTH, to: tu_curl_auth_basic)
    try set(CURLOPT_PROXYUSERPWD, to: entry.secret)
  }

  func set(_ option: CURLoption, to value: Int) throws(Failure) {
    try check(tu_curl_set_long(raw, option, value))
  }

  /// libcurl keeps a copy of the text.
  func set(_ option: CURLoption, to value: String?) throws(Failure) {
    guard let value else { return try check(tu_curl_set_string(raw, option, nil)) }
    try check(value.withPlatformString { tu_curl_set_string(raw, option, $0) })
  }

  func check(_ result: CURLcode) throws(Failure) {
    guard result == CURLE_OK else { throw .noNetwork(cause: CurlHandle.sentence(result)) }
  }

  /// What went wrong last: the sentence for the result, or the one about this very connection where that says more.
  func sentence(_ result: CURLcode) -> String {
    let isOfTLS = result == CURLE_SSL_CONNECT_ERROR || result == CURLE_SSL_CERTPROBLEM
    return isOfTLS && text.pointee != 0 ? String(platformString: text) : CurlHandle.sentence(result)
  }

  /// curl's own words for a result.
  static func sentence(_ result: CURLcode) -> String {
    // It can mean nothing else: memory is never refused (Sources/CMemory), and `perform` returns it for nothing else.
    if result == CURLE_OUT_OF_MEMORY { return "headers longer than libcurl takes" }
    return String(platformString: curl_easy_strerror(result))
  }
}
