import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What a device tells a server of itself goes to that server alone.
  @Suite("Authorization")
  struct AuthorizationTests {
    private let sample: Sample
    private let scratch: Scratch
    private let authority: CertificateAuthority
    private static let token = "eyJhbGciOi.7f3a-9_~+/c2VjcmV0.QUJD=="

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("authorization")
      authority = try CertificateAuthority()
    }

    /// Answers 401 to whoever does not say `value`.
    private func server(wanting value: String, _ directives: String = "", isSecure: Bool = true) throws
      -> WebServer
    {
      try WebServer(
        sample.repository.path, authority: isSecure ? authority : nil,
        directives: "if ($http_authorization != \"\(value)\") { return 401; } \(directives)")
    }

    private func host(_ server: WebServer) -> String { "127.0.0.1:\(server.port)" }

    /// A device whose file of secrets has these lines, and which logs everything.
    private func device(
      of server: WebServer, _ lines: String, mode: String = "600", settings: String = ""
    ) throws -> Device {
      try scratch.write("secrets", lines)
      try Programs.run("chmod", mode, "\(scratch.path)/secrets")
      return try sample.device(
        at: 2, of: server.url,
        settings: "certificate_authorities = \(authority.certificate)", "retries = 0",
        "authorization = \(scratch.path)/secrets", "log = \(scratch.path)/log", "log_level = debug", settings)
    }

    /// Nothing that the device wrote has the secret in it.
    private func expectSecret(_ run: Device.Run, _ device: Device, _ secret: String) throws {
      #expect(!run.output.contains(secret) && !run.error.contains(secret))
      let found = try ChildProcess.run("grep", ["-rF", secret, device.root, "\(scratch.path)/log"])
      #expect(found.output == "" && found.status != 0, "\(found)")
    }

    @Test(
      "a device proves who it is by a token, or by a name and a password",
      arguments: [
        ("bearer \(token)", "Bearer \(token)"), ("basic unit-7:a b:c", "Basic dW5pdC03OmEgYjpj"),
      ])
    func proof(words: String, header: String) throws {
      let server = try server(wanting: header)
      let device = try device(
        of: server, "# by the maker\n\nother.example bearer no\n\(host(server)) \(words)\n")
      let run = try device.run("--verbose", "apply")
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.installed() == sample.expected[4])
      #expect(
        try server.finish().allSatisfy { $0.status < 401 || $0.status == 404 && $0.path.contains("root") })
      try expectSecret(run, device, AuthorizationTests.token)
    }

    @Test("a redirect to another server does not take the secret along")
    func redirected() throws {
      let other = try WebServer(
        sample.repository.path, authority: authority,
        directives: "if ($http_authorization) { return 418; }")
      let server = try server(
        wanting: "Bearer \(AuthorizationTests.token)",
        "location /payloads/ { return 302 \(other.url)$request_uri; }")
      let device = try device(of: server, "\(host(server)) bearer \(AuthorizationTests.token)\n")
      let run = try device.run("apply")
      #expect(run.exit == 0, "\(run.error)")
      let log = try other.finish()
      #expect(!log.payloads.isEmpty && log.allSatisfy { $0.status == 200 }, "\(log)")
    }

    @Test("another server of the same device gets no secret")
    func otherServer() throws {
      let other = try WebServer(
        sample.repository.path, authority: authority,
        directives: "if ($http_authorization) { return 418; }")
      let device = try device(of: other, "127.0.0.1:1 bearer \(AuthorizationTests.token)\n")
      #expect(try device.run("apply").exit == 0)
      #expect(try other.finish().allSatisfy { $0.status != 418 })
    }

    @Test("a wrong secret is refused by the server, and the sentence says what to check")
    func wrong() throws {
      let server = try server(wanting: "Bearer right")
      let device = try device(of: server, "\(host(server)) bearer \(AuthorizationTests.token)\n")
      let before = try device.state()
      let run = try device.run("--verbose", "apply")
      #expect(
        run.exit == 20 && run.error.contains("401") && run.error.contains("check authorization"), "\(run)")
      #expect(try device.state() == before)
      #expect(try server.finish().allSatisfy { $0.status == 401 })
      try expectSecret(run, device, AuthorizationTests.token)
    }

    @Test(
      "a file that others can read, or that is not of this form, is refused without a request",
      arguments: [
        ("HOST bearer s3cret", "640", "chmod 600"), ("HOST bearer", "600", "line 1"),
        ("HOST digest s3cret", "600", "line 1"), ("# x\nHOST bearer s3cret two", "600", "line 2"),
        ("HOST basic s3cret", "600", "line 1"), ("HOST bearer s3cret\u{7f}", "600", "line 1"),
        ("HOST bearer \(String(repeating: "s3cret", count: 2000))", "600", "line 1"),
      ])
    func refused(lines: String, mode: String, words: String) throws {
      let server = try WebServer(sample.repository.path, authority: authority)
      let device = try device(
        of: server, lines.replacing("HOST", with: host(server)) + "\n", mode: mode)
      let run = try device.run("check")
      #expect(run.exit == 78 && run.error.contains(words), "\(run)")
      #expect(run.error.contains("\(scratch.path)/secrets"))
      #expect(try device.run("status").exit == 0)
      #expect(try server.finish().isEmpty)
      try expectSecret(run, device, "s3cret")
    }

    @Test("a secret is not sent without TLS")
    func plain() throws {
      let server = try WebServer(sample.repository.path)
      let device = try device(of: server, "\(host(server)) bearer \(AuthorizationTests.token)\n")
      let run = try device.run("check")
      #expect(run.exit == 78 && run.error.contains("over https only"), "\(run)")
      #expect(try server.finish().isEmpty)
    }

    @Test("a password in the URL of a repository or a proxy is refused, and not shown")
    func inURL() throws {
      for line in [
        "repository = https://unit:s3cret@maps.example", "proxy = http://unit:s3cret@proxy.example:1",
      ] {
        let device = try Device("https://maps.example", settings: line)
        let run = try device.run("check")
        #expect(
          run.exit == 78 && run.error.contains("authorization") && !run.error.contains("s3cret"), "\(run)")
      }
    }

    // MARK: - Proxies

    private static let proxyProgram = "\(Checkout.root)/Tests/EndToEndTests/proxy/proxy.py"

    private func proxy(_ arguments: String...) throws -> (child: ChildProcess, address: String) {
      let child = try ChildProcess("python3", [AuthorizationTests.proxyProgram] + arguments)
      let line = try #require(child.waitForLine(with: "port "))
      return (child, "127.0.0.1:\(line.dropFirst(5))")
    }

    private func requests(_ proxy: ChildProcess) -> [String] {
      proxy.signal(15)
      return proxy.wait(timeout: 20).output.split(separator: "\n").map(String.init)
    }

    @Test(
      "all requests go through the proxy, which may want to know who asks", arguments: [false, true],
      [false, true])
    func proxied(isSecure: Bool, isAuthorized: Bool) throws {
      let (proxy, address) = try isAuthorized ? proxy("unit-7:a b") : proxy()
      let server = try WebServer(sample.repository.path, authority: isSecure ? authority : nil)
      let device = try device(
        of: server, isAuthorized ? "\(address) basic unit-7:a b\n" : "", settings: "proxy = http://\(address)"
      )
      let run = try device.run("apply")
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.installed() == sample.expected[4])
      let asked = requests(proxy)
      #expect(!asked.isEmpty && asked.allSatisfy { $0 == "\(isSecure ? "CONNECT" : "GET") \(host(server))" })
      let served = try server.finish()
      #expect(isSecure || served.count == asked.count)
    }

    @Test("a proxy that refuses is named, and nothing goes past it", arguments: [false, true])
    func refusingProxy(isSecure: Bool) throws {
      let (proxy, address) = try proxy("unit-7:right")
      let server = try WebServer(sample.repository.path, authority: isSecure ? authority : nil)
      let device = try device(
        of: server, "\(address) basic unit-7:s3cret\n", settings: "proxy = http://\(address)")
      let run = try device.run("check")
      #expect(run.exit == 20 && run.error.contains("the proxy http://\(address) answered 407"), "\(run)")
      #expect(run.error.contains("check authorization"), "\(run)")
      #expect(!requests(proxy).isEmpty)
      #expect(try server.finish().isEmpty)
      try expectSecret(run, device, "s3cret")
    }

    @Test("a token is not sent to a proxy, which would take it for a name")
    func tokenForProxy() throws {
      let (proxy, address) = try proxy()
      let server = try WebServer(sample.repository.path)
      let device = try device(of: server, "\(address) bearer s3cret\n", settings: "proxy = http://\(address)")
      let run = try device.run("check")
      #expect(run.exit == 78 && run.error.contains("a proxy takes"), "\(run)")
      #expect(requests(proxy).isEmpty)
    }

    @Test("without a setting the environment names the proxy, and \"none\" overrides it")
    func environment() throws {
      let (proxy, address) = try proxy()
      let server = try WebServer(sample.repository.path)
      let device = try device(of: server, "")
      let through = try device.finish(
        device.start(["check"], before: ["env", "http_proxy=http://\(address)"]))
      #expect(through.exit == 10, "\(through.error)")
      #expect(!requests(proxy).isEmpty)
      let direct = try self.device(of: server, "", settings: "proxy = none")
      // The proxy is gone now.
      let run = try direct.finish(direct.start(["check"], before: ["env", "http_proxy=http://\(address)"]))
      #expect(run.exit == 10, "\(run.error)")
      _ = try server.finish()
    }
  }
}
