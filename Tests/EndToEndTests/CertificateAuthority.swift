import Platform
import TestSupport

/// An authority that only one test trusts, and a server certificate for the loopback address.
final class CertificateAuthority {
  private let scratch: Scratch
  var certificate: String { "\(scratch.path)/ca.pem" }
  var serverCertificate: String { "\(scratch.path)/server.pem" }
  var serverKey: String { "\(scratch.path)/server.key" }

  init() throws {
    scratch = try Scratch("authority")
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    try openssl(
      ["req", "-x509"] + key
        + [
          "-keyout", "\(scratch.path)/ca.key", "-out", certificate, "-days", "3650", "-subj",
          "/CN=Test authority",
        ])
    try openssl(
      ["req", "-x509"] + key
        + [
          "-CA", certificate, "-CAkey", "\(scratch.path)/ca.key", "-keyout", serverKey, "-out",
          serverCertificate,
          "-days", "3650", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-addext",
          "basicConstraints=critical,CA:FALSE",
        ])
  }

  private func openssl(_ arguments: [String]) throws {
    let outcome = try ChildProcess.run("openssl", arguments)
    guard outcome.status == 0 else { throw Unmet("openssl failed: \(outcome.error)") }
  }
}
