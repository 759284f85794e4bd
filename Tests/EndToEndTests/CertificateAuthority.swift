import Platform
import TestSupport

/// An authority that only one test trusts, and a server certificate for the loopback addresses.
final class CertificateAuthority {
  /// What is wrong with the server's certificate.
  enum Flaw: CaseIterable {
    case expired, notYetValid, otherHost, selfSigned

    /// What a device says of it.
    var words: String {
      switch self {
      case .expired: "its certificate has expired"
      case .notYetValid: "its certificate is not valid yet"
      case .otherHost: "its certificate is for another name"
      case .selfSigned: "its certificate is of an authority that this device does not trust"
      }
    }
  }

  private let scratch: Scratch
  var certificate: String { "\(scratch.path)/ca.pem" }
  var serverCertificate: String { "\(scratch.path)/server.pem" }
  var serverKey: String { "\(scratch.path)/server.key" }

  /// - `kind`: of its key and the server's, as openssl-req(1) takes it after `-newkey`.
  init(_ flaw: Flaw? = nil, kind: String = "ec -pkeyopt ec_paramgen_curve:prime256v1") throws {
    scratch = try Scratch("authority")
    let folder = scratch.path
    let key = ["-newkey"] + kind.split(separator: " ").map(String.init) + ["-nodes"]
    try openssl(
      ["req", "-x509"] + key
        + [
          "-keyout", "\(folder)/ca.key", "-out", certificate, "-days", "3650", "-subj", "/CN=Test authority",
        ])
    let names = flaw == .otherHost ? "DNS:other.example,IP:127.0.0.2" : "IP:127.0.0.1,IP:::1"
    try openssl(
      ["req", "-new"] + key
        + [
          "-keyout", serverKey, "-out", "\(folder)/request", "-subj", "/CN=Test server", "-addext",
          "subjectAltName=\(names)", "-addext", "basicConstraints=critical,CA:FALSE",
        ])
    if flaw == .expired || flaw == .notYetValid {
      let year = flaw == .expired ? 2020 : 2099
      try sign(from: "\(year)0101000000Z", until: "\(year + 1)0101000000Z")
      return
    }
    let signer =
      flaw == .selfSigned ? ["-signkey", serverKey] : ["-CA", certificate, "-CAkey", "\(folder)/ca.key"]
    try openssl(
      ["x509", "-req", "-in", "\(folder)/request", "-copy_extensions", "copy", "-out", serverCertificate]
        + signer + ["-days", "3650"])
  }

  /// Signs the server's certificate for a time; openssl-x509(1) knows only days from now on.
  private func sign(from start: String, until end: String) throws {
    try scratch.write(
      "ca.conf",
      """
      [ca]
      default_ca = own
      [own]
      database = \(scratch.path)/index
      new_certs_dir = \(scratch.path)
      rand_serial = yes
      default_md = sha256
      policy = any
      copy_extensions = copy
      [any]
      commonName = supplied
      """)
    try scratch.write("index", "")
    try openssl([
      "ca", "-batch", "-config", "\(scratch.path)/ca.conf", "-cert", certificate, "-keyfile",
      "\(scratch.path)/ca.key", "-in", "\(scratch.path)/request", "-out", serverCertificate, "-startdate",
      start,
      "-enddate", end, "-notext",
    ])
  }

  /// A certificate for a device, and the key of it, which only its owner can read.
  func issue(_ name: String) throws -> (certificate: String, key: String) {
    let (certificate, key) = ("\(scratch.path)/\(name).pem", "\(scratch.path)/\(name).key")
    try openssl([
      "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
      "-out", "\(scratch.path)/request", "-subj", "/CN=\(name)",
    ])
    try openssl([
      "x509", "-req", "-in", "\(scratch.path)/request", "-CA", self.certificate, "-CAkey",
      "\(scratch.path)/ca.key", "-out", certificate, "-days", "3650",
    ])
    try Programs.run("chmod", "600", key)
    return (certificate, key)
  }

  private func openssl(_ arguments: [String]) throws {
    let outcome = try ChildProcess.run("openssl", arguments)
    guard outcome.status == 0 else { throw Unmet("openssl failed: \(outcome.error)") }
  }
}
