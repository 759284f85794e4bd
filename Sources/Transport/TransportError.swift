package import Platform

/// Why a request gave no usable body.
package indirect enum TransportError: Error, Equatable {
  /// The server was not reached, or not to the end, as often as it was tried.
  case unreachable(url: String, cause: String, attempts: Int)
  /// The server's identity could not be proven; trying again would not help.
  case untrusted(url: String, CertificateFlaw)
  /// The file of certificate authorities is missing, or has none that can be read.
  case badAuthorities(path: String)
  /// What this device proves by who it is cannot be used: its certificate, the key of it, or `authorization`.
  case badCredentials(cause: String)
  /// The server answered with an HTTP status that ends the request.
  case refused(url: String, status: Int)
  /// The proxy did so; `proxy` is nil if the environment names it.
  case refusedByProxy(url: String, status: Int, proxy: String?)
  /// The file does not exist, or may not be read (`file:` only).
  case missing(url: String)
  /// The body does not have the size that it must have; `found` is what came before it was cut off.
  case wrongSize(url: String, expected: UInt64, found: UInt64)
  /// The server has a shorter file, which may be on its way there.
  case incomplete(url: String, expected: UInt64, found: UInt64)
  /// The body is longer than it can be.
  case tooLong(url: String, limit: UInt64)
  /// The URL is not one that this program follows.
  case badURL(url: String, cause: String)
  /// The body could not be stored.
  case storage(FileError)
  /// The sink refused the body in the middle; it knows why.
  case rejected(url: String)
  /// As much came over the network as may come.
  case limitReached(DownloadAllowance.Period)
  case cancelled
  /// libcurl could not be set up: no memory, or an option that this build lacks.
  case setup(cause: String)

  init(_ error: SinkError, url: String) {
    self =
      switch error {
      case .file(let error): .storage(error)
      case .rejected: .rejected(url: url)
      }
  }

  /// The server says that it does not have the file.
  ///
  /// 403 is how object stores say it to those who may not list them.
  package var isAbsence: Bool {
    switch self {
    case .missing: true
    case .refused(_, let status): status == 404 || status == 403
    default: false
    }
  }

  /// The URL of a file that the server does not have, or does not have any more; nil if it is not that.
  package var absentURL: String? {
    switch self {
    case .missing(let url): url
    case .refused(let url, let status): isAbsence || status == 410 ? url : nil
    default: nil
    }
  }

  /// The URL of a request that failed, and why; nil if it is not the connection or the server that failed.
  package var failedRequest: String? {
    switch self {
    case .unreachable(let url, let cause, _), .badURL(let url, let cause): "\(url): \(cause)"
    case .untrusted(let url, let flaw): "\(url): \(flaw.sentence)"
    case .refused(let url, let status): "\(url): the server answered \(status)"
    case .incomplete(let url, let expected, let found): "\(url): it has \(found) of \(expected) bytes"
    case .refusedByProxy(let url, let status, _): "\(url): the proxy answered \(status)"
    case .missing(let url): "\(url): there is no such file"
    case .badCredentials, .badAuthorities, .wrongSize, .tooLong, .storage, .rejected, .limitReached,
      .cancelled, .setup:
      nil
    }
  }

  /// What happened, where, and what to do next.
  package var sentence: String {
    switch self {
    case .unreachable(let url, let cause, let attempts):
      "\(url) was not reached in \(attempts) attempt\(attempts == 1 ? "" : "s") (\(cause)); "
        + "run the command again when the connection is back, it resumes where it stopped"
    case .untrusted(let url, let flaw): "the server of \(url) could not prove who it is: \(flaw.sentence)"
    case .badAuthorities(let path):
      "\(path) has no certificate of an authority that can be read, so that no server can prove who it is; install the "
        + "system's (the package is often ca-certificates), or set certificate_authorities"
    case .badCredentials(let cause):
      "this device cannot prove who it is (\(cause)); check client_certificate, client_key and authorization"
    case .refused(let url, 401):
      "the server answered 401 for \(url): it wants to know who this device is; check authorization"
    case .refusedByProxy(let url, let status, let proxy):
      "the proxy \(proxy.map { "\($0) " } ?? "that the environment names ")answered \(status) for \(url)"
        + (status == 407
          ? ": it wants to know who this device is; check authorization" : "; check the proxy setting")
    case .refused(let url, 400) where url.utf8.starts(with: "https:".utf8):
      "the server answered 400 for \(url); if it asks devices for a certificate, set client_certificate and client_key; "
        + "otherwise check the repository setting, or tell the publisher"
    case .refused(let url, let status) where status == 404 || status == 410:
      "the server answered \(status) for \(url), which is not there, or not any more: run the command again for what is "
        + "served now; if that does not help, check the repository setting, or tell the publisher"
    case .refused(let url, let status):
      "the server answered \(status) for \(url); check the repository setting, or tell the publisher"
    case .missing(let url): "there is no \(url), or it may not be read; check the repository setting"
    case .wrongSize(let url, let expected, let found):
      "\(url) has \(found) bytes where the catalog says \(expected); tell the publisher"
    case .incomplete(let url, let expected, let found):
      "\(url) has \(found) of \(expected) bytes on the server, and may still be copied there; run the command again later, "
        + "and tell the publisher if it stays so"
    case .tooLong(let url, let limit):
      "\(url) is larger than the \(limit) bytes that it may have; tell the publisher"
    case .badURL(let url, let cause): "\(url) is not a usable URL (\(cause)); check the repository setting"
    case .storage(let error): error.sentence
    case .rejected(let url): "\(url) is not what it must be; tell the publisher"
    case .limitReached(.run):
      "download_limit is reached; what came is kept, and the next run continues there"
    case .limitReached(.day):
      "download_limit_day is reached; what came is kept, and the first run of the next day continues there (after midnight "
        + "UTC; as long as the clock is not set, after 24 hours or 8 starts)"
    case .cancelled: "cancelled"
    case .setup(let cause): "the network library could not be started (\(cause))"
    }
  }
}
