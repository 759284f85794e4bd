internal import ArgumentParser
internal import Platform
internal import Publisher

/// How a server is reached that has authorities of its own, or wants to know its clients.
struct ServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The certificate authorities of the server, in PEM. (default: the file named by CURL_CA_BUNDLE or SSL_CERT_FILE, or \
      those of the system)
      """, valueName: "file"), completion: .file())
  var certificateAuthorities: String?

  @Option(
    help: ArgumentHelp("The certificate by which the server knows this client, in PEM.", valueName: "file"),
    completion: .file())
  var clientCertificate: String?

  @Option(
    help: ArgumentHelp(
      "The private key of that certificate, in PEM. (default: in the same file)", valueName: "file"),
    completion: .file())
  var clientKey: String?

  /// One of the options was given.
  var isGiven: Bool { certificateAuthorities != nil || clientCertificate != nil || clientKey != nil }

  func validate() throws {
    if clientKey != nil && clientCertificate == nil {
      throw ValidationError("--client-key needs --client-certificate.")
    }
  }

  var access: Verification.ServerAccess {
    var access = Verification.ServerAccess()
    access.certificateAuthorities =
      certificateAuthorities ?? Environment.value("CURL_CA_BUNDLE") ?? Environment.value("SSL_CERT_FILE")
    access.clientCertificate = clientCertificate
    access.clientKey = clientKey
    return access
  }
}
