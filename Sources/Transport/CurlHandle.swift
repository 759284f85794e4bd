internal import CCurl
internal import Platform

/// One easy handle of libcurl.
///
/// It keeps its connection from one request to the next.
public struct CurlHandle: ~Copyable {
  let raw: UnsafeMutableRawPointer

  init() throws(TransportError) {
    guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let raw = curl_easy_init() else {
      throw .setup(cause: "no memory")
    }
    self.raw = raw
  }

  deinit { curl_easy_cleanup(raw) }

  /// Sets what is the same for every request.
  func configure(_ settings: TransportSettings) throws(TransportError) {
    try set(CURLOPT_NOSIGNAL, 1)
    try set(CURLOPT_NOPROGRESS, 0)
    try set(CURLOPT_FOLLOWLOCATION, 1)
    try set(CURLOPT_MAXREDIRS, 5)
    try set(CURLOPT_PROTOCOLS_STR, "http,https,file")
    try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    try set(CURLOPT_BUFFERSIZE, 32 << 10)
    try set(CURLOPT_CONNECTTIMEOUT, settings.connectTimeout)
    try set(CURLOPT_LOW_SPEED_LIMIT, 100)
    try set(CURLOPT_LOW_SPEED_TIME, settings.stallTimeout)
    try set(CURLOPT_USERAGENT, "tinyupdater/\(productVersion)")
    if let file = settings.certificateAuthorities { try set(CURLOPT_CAINFO, file) }
  }

  func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
    try check(tu_curl_set_long(raw, option, value))
  }

  /// libcurl keeps a copy of the text.
  func set(_ option: CURLoption, _ value: String?) throws(TransportError) {
    guard let value else { return try check(tu_curl_set_string(raw, option, nil)) }
    try check(value.withPlatformString { tu_curl_set_string(raw, option, $0) })
  }

  func check(_ result: CURLcode) throws(TransportError) {
    guard result == CURLE_OK else { throw .setup(cause: CurlHandle.sentence(result)) }
  }

  /// curl's own words for a result.
  static func sentence(_ result: CURLcode) -> String { String(platformString: curl_easy_strerror(result)) }
}

/// Whether it makes sense to ask again.
enum FailureKind: Equatable {
  case transient, untrusted, badURL, missing, aborted

  init(_ result: CURLcode) {
    self =
      switch result {
      case CURLE_ABORTED_BY_CALLBACK, CURLE_WRITE_ERROR: .aborted
      case CURLE_FILE_COULDNT_READ_FILE: .missing
      case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_REMOTE_FILE_NOT_FOUND,
        CURLE_TOO_MANY_REDIRECTS:
        .badURL
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
        CURLE_SSL_CERTPROBLEM:
        .untrusted
      default: .transient
      }
  }

  /// 4xx are the publisher's or the operator's to mend; these four pass by themselves.
  static func isTransient(status: Int) -> Bool {
    status >= 500 || status == 408 || status == 425 || status == 429
  }
}
