internal import CCurl

/// Whether it makes sense to ask again.
enum FailureKind: Equatable {
  case transient, untrusted, badAuthorities, badCredentials, badURL, missing, aborted
  /// A file has fewer bytes than are there already (`file:` only).
  case shorter

  init(_ result: CURLcode) {
    self =
      switch result {
      case CURLE_ABORTED_BY_CALLBACK, CURLE_WRITE_ERROR: .aborted
      case CURLE_FILE_COULDNT_READ_FILE: .missing
      case CURLE_BAD_DOWNLOAD_RESUME: .shorter
      case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_REMOTE_FILE_NOT_FOUND,
        CURLE_TOO_MANY_REDIRECTS:
        .badURL
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: .untrusted
      case CURLE_SSL_CACERT_BADFILE: .badAuthorities
      case CURLE_SSL_CERTPROBLEM: .badCredentials
      default: .transient
      }
  }

  /// 4xx are the publisher's or the operator's to mend; these four pass by themselves.
  static func isTransient(status: Int) -> Bool {
    status >= 500 || status == 408 || status == 425 || status == 429
  }
}
