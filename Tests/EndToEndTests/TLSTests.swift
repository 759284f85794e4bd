import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Who the server is must be proven, whatever it is called and however it is reached.
  @Suite("TLS")
  struct TLSTests {
    private let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    private func device(_ server: WebServer, _ authority: CertificateAuthority) throws -> Device {
      try sample.device(
        at: 2, of: server.url, settings: "certificate_authorities = \(authority.certificate)", "retries = 0")
    }

    @Test(
      "a server with an invalid certificate gets no request",
      arguments: CertificateAuthority.Flaw.allCases)
    func certificate(flaw: CertificateAuthority.Flaw) throws {
      let authority = try CertificateAuthority(flaw)
      let server = try WebServer(sample.repository.path, authority: authority)
      let device = try device(server, authority)
      let run = try device.run("check")
      #expect(run.exit == 20, "\(run)")
      #expect(run.error.contains("could not prove who it is: \(flaw.words)"), "\(run.error)")
      #expect(try server.finish().isEmpty)
    }

    @Test("protocols older than TLS 1.2 are refused")
    func oldProtocol() throws {
      let authority = try CertificateAuthority()
      let server = try WebServer(
        sample.repository.path, authority: authority,
        directives: "ssl_protocols TLSv1 TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;")
      let run = try device(server, authority).run("check")
      #expect(run.exit == 20, "\(run)")
      #expect(try server.finish().isEmpty)
    }

    @Test("TLS 1.2 and 1.3 are supported", arguments: ["TLSv1.2", "TLSv1.3"])
    func currentProtocol(version: String) throws {
      let authority = try CertificateAuthority()
      let server = try WebServer(
        sample.repository.path, authority: authority, directives: "ssl_protocols \(version);")
      let device = try device(server, authority)
      #expect(try device.run("apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      _ = try server.finish()
    }

    @Test(
      "servers with all usual kinds of keys are known",
      arguments: [
        "rsa:2048", "rsa:4096 -sha512", "ec -pkeyopt ec_paramgen_curve:P-384 -sha384",
        "ec -pkeyopt ec_paramgen_curve:P-521 -sha512", "ed25519", "rsa-pss -pkeyopt rsa_keygen_bits:2048",
      ])
    func key(kind: String) throws {
      #expect(try check(kind: kind).exit == 10)
    }

    @Test(
      "all usual ciphers and groups are spoken",
      arguments: [
        "ssl_protocols TLSv1.2; ssl_ciphers AES128-SHA", "ssl_protocols TLSv1.2; ssl_ciphers AES256-SHA256",
        "ssl_protocols TLSv1.2; ssl_ciphers AES128-GCM-SHA256",
        "ssl_protocols TLSv1.2; ssl_ciphers ECDHE-RSA-AES256-SHA384",
        "ssl_protocols TLSv1.2; ssl_ciphers ECDHE-RSA-AES256-GCM-SHA384",
        "ssl_protocols TLSv1.2; ssl_ciphers ECDHE-RSA-CHACHA20-POLY1305",
        "ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256",
        "ssl_conf_command Ciphersuites TLS_AES_256_GCM_SHA384",
        "ssl_conf_command Ciphersuites TLS_CHACHA20_POLY1305_SHA256",
        "ssl_protocols TLSv1.3; ssl_ecdh_curve X25519", "ssl_protocols TLSv1.3; ssl_ecdh_curve P-256",
        "ssl_protocols TLSv1.3; ssl_ecdh_curve P-384", "ssl_protocols TLSv1.3; ssl_ecdh_curve P-521",
      ])
    func cipher(directive: String) throws {
      #expect(try check("\(directive);").exit == 10)
    }

    @Test(
      "what no browser speaks is refused",
      arguments: [
        "ssl_protocols TLSv1.3; ssl_ecdh_curve X448",
        "ssl_protocols TLSv1.2; ssl_ciphers DHE-RSA-AES128-GCM-SHA256",
      ])
    func unusual(directive: String) throws {
      let run = try check("\(directive);")
      #expect(run.exit == 20 && run.error.contains("handshake failure"), "\(run)")
    }

    /// Asks a server with such a key, and with these directives.
    private func check(kind: String = "rsa:2048", _ directives: String = "") throws -> Device.Run {
      let authority = try CertificateAuthority(kind: kind)
      let server = try WebServer(sample.repository.path, authority: authority, directives: directives)
      let run = try device(server, authority).run("check")
      _ = try server.finish()
      return run
    }

    private func strictServer(_ authority: CertificateAuthority) throws -> WebServer {
      try WebServer(
        sample.repository.path, authority: authority,
        directives: "ssl_verify_client on; ssl_client_certificate \(authority.certificate);")
    }

    @Test("a device proves who it is by its certificate, with the key beside it or in the same file")
    func clientCertificate() throws {
      let authority = try CertificateAuthority()
      let server = try strictServer(authority)
      let own = try authority.issue("unit-7")
      let both = "\(own.key).both"
      try Programs.run("sh", "-c", "umask 077; cat \"$0\" \"$1\" >\"$2\"", own.certificate, own.key, both)
      for settings in [
        "client_certificate = \(own.certificate)\nclient_key = \(own.key)", "client_certificate = \(both)",
      ] {
        let device = try sample.device(
          at: 2, of: server.url, settings: "certificate_authorities = \(authority.certificate)", settings)
        let run = try device.run("apply")
        #expect(run.exit == 0, "\(run.error)")
        #expect(try device.installed() == sample.expected[4])
      }
      _ = try server.finish()
    }

    @Test("without the right certificate a device gets nothing, and learns what to do")
    func wrongClientCertificate() throws {
      let authority = try CertificateAuthority()
      let server = try strictServer(authority)
      let own = try authority.issue("unit-7")
      let other = try authority.issue("unit-8")
      let stranger = try CertificateAuthority()
      defer { withExtendedLifetime(stranger) {} }
      let foreign = try stranger.issue("unit-7")
      let open = "\(own.key).open"
      try Programs.run("cp", own.key, open)
      try Programs.run("chmod", "644", open)
      let cases: [(settings: String, exit: Int32, words: String)] = [
        ("", 20, "the server answered 400"),
        ("client_certificate = \(foreign.certificate)\nclient_key = \(foreign.key)", 20, "400"),
        ("client_certificate = \(own.certificate)\nclient_key = \(other.key)", 78, "client_key"),
        ("client_certificate = /nowhere.pem\nclient_key = \(own.key)", 78, "client_certificate"),
        ("client_certificate = \(own.certificate)\nclient_key = /nowhere.key", 78, "/nowhere.key"),
        ("client_certificate = \(own.certificate)\nclient_key = \(open)", 78, "chmod 600"),
      ]
      for (settings, exit, words) in cases {
        let device = try sample.device(
          at: 2, of: server.url, settings: "certificate_authorities = \(authority.certificate)", settings,
          "retries = 0")
        let run = try device.run("check")
        #expect(run.exit == exit && run.error.contains(words), "\(settings): \(run.exit ?? -1), \(run.error)")
        #expect(!run.error.contains("PRIVATE KEY"))
        // What needs no network works all the same.
        #expect(try device.run("status").exit == 0 && device.run("boot").exit == 0)
      }
      #expect(try server.finish().allSatisfy { $0.status == 400 })
    }

    private static let hasIPv6 = {
      do { return try !contents("/proc/net/if_inet6").isEmpty } catch { return false }
    }()

    @Test(
      "IPv6 addresses work, with and without TLS",
      .enabled(if: TLSTests.hasIPv6, "this machine has no IPv6"), arguments: [false, true])
    func addressOfSixteenBytes(isSecure: Bool) throws {
      let authority = try CertificateAuthority()
      let server = try WebServer(
        sample.repository.path, authority: isSecure ? authority : nil, address: "[::1]")
      let device = try device(server, authority)
      #expect(server.url.contains("//[::1]:"))
      #expect(try device.run("apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      _ = try server.finish()
    }
  }
}
