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
      #expect(run.error.contains("could not prove who it is"), "\(run.error)")
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
