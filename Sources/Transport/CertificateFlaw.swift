/// Why a server's certificate proves nothing.
package enum CertificateFlaw: Equatable {
  case expired
  case notYetValid
  /// It is for another host.
  case otherName
  case unknownAuthority
  /// In the words of OpenSSL and libcurl.
  case other(String)

  /// - `result`: that of openssl-verify(1) for the certificate; 0, or 1 before it is known.
  /// - `text`: libcurl's sentence.
  init(verifying result: Int, text: String) {
    self =
      switch result {
      case 9: .notYetValid
      case 10: .expired
      case 2, 18, 19, 20, 21: .unknownAuthority
      // The certificate itself is in order: libcurl compares its names then.
      case 0, 1: .otherName
      default: .other(text)
      }
  }

  /// What is wrong, and what to do about it.
  var sentence: String {
    switch self {
    case .expired: "its certificate has expired; check this device's clock, or tell the publisher"
    case .notYetValid: "its certificate is not valid yet; set this device's clock"
    case .otherName:
      "its certificate is for another name; check the repository setting, or whether a login page is in between"
    case .unknownAuthority:
      "its certificate is of an authority that this device does not trust; check certificate_authorities, or whether a "
        + "login page is in between"
    case .other(let text): "\(text); check certificate_authorities and the clock"
    }
  }
}
