internal import CCurl
internal import Platform

/// What became of a text that was sent to a server.
package enum Delivery: Equatable {
  /// The server has it (2xx).
  case delivered
  /// The server will not take it, now or later.
  case rejected(status: Int)
  /// It may be taken another time.
  case undelivered(cause: String)

  /// - `status`: of HTTP.
  init(status: Int) {
    self =
      switch status {
      case 200..<300: .delivered
      // Who the device is can be mended, and the others pass by themselves.
      case 401, 403, 408, 429: .undelivered(cause: "the server answered \(status)")
      case 400..<500: .rejected(status: status)
      default: .undelivered(cause: "the server answered \(status)")
      }
  }
}

extension Client {
  /// Posts a JSON text to a server, which is told by the same means as others who this device is.
  ///
  /// It is tried once. A redirect is not followed, and what the server answers is not read.
  ///
  /// - `seconds`: what all of it may take.
  package mutating func post(_ json: String, to url: String, within seconds: Int) -> Delivery {
    do throws(Failure) {
      try authorize(url)
      return try Client.post(json, to: url, within: seconds, by: handle, shouldStop: shouldStop)
    } catch { return .undelivered(cause: error.cause) }
  }

  private static func post(
    _ json: String, to url: String, within seconds: Int, by handle: borrowing CurlHandle,
    shouldStop: () -> Bool
  ) throws(Failure) -> Delivery {
    let raw = handle.raw
    guard let headers = curl_slist_append(nil, "Content-Type: application/json") else { throw .noMemory }
    defer { curl_slist_free_all(headers) }
    try handle.set(CURLOPT_URL, to: url)
    try handle.set(CURLOPT_PROTOCOLS_STR, to: "http,https")
    try handle.set(CURLOPT_FOLLOWLOCATION, to: 0)
    try handle.set(CURLOPT_NOPROGRESS, to: 1)
    try handle.set(CURLOPT_CONNECTTIMEOUT, to: seconds)
    try handle.set(CURLOPT_TIMEOUT, to: seconds)
    try handle.set(CURLOPT_POSTFIELDSIZE, to: json.utf8.count)
    // This one makes it a POST.
    try handle.set(CURLOPT_COPYPOSTFIELDS, to: json)
    try handle.check(tu_curl_set_list(raw, CURLOPT_HTTPHEADER, headers))
    // Without this, libcurl writes what comes to standard output.
    let ignore: tu_curl_data_fn = { _, size, count, _ in size * count }
    try handle.check(tu_curl_set_data_fn(raw, CURLOPT_WRITEFUNCTION, ignore))
    let result = handle.perform(shouldStop)
    try handle.check(tu_curl_set_list(raw, CURLOPT_HTTPHEADER, nil))
    guard result == CURLE_OK else { return .undelivered(cause: handle.sentence(result)) }
    return Delivery(status: handle.information(CURLINFO_RESPONSE_CODE))
  }
}
