import TestSupport
import Testing
import TrustTestSupport

extension EndToEnd {
  /// `tinypublish verify URL` finds what a device would meet.
  @Suite("Verification of a server")
  struct ServerVerificationTests {
    private let sample: Sample
    private let scratch: Scratch
    private let repository: PublishedRepository

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("verified")
      repository = try sample.repository.copy(to: "\(scratch.path)/repository")
    }

    private func verify(_ url: String, _ options: String...) throws -> ChildProcess.Outcome {
      try ChildProcess.run(
        try Programs.tinypublish(), ["verify", url, "--root", sample.repository.root] + options,
        environment: ["PATH": "/usr/bin:/bin", "TMPDIR": scratch.path])
    }

    private func expectNothingLeft() throws {
      #expect(try names(scratch.path) == ["repository"])
    }

    private func size(_ name: String) throws -> Int { try contents("\(repository.path)/\(name)").count }

    private func largest(_ folder: String) throws -> String {
      let found = try names("\(repository.path)/\(folder)").sorted()
        .max { try size("\(folder)/\($0)") < size("\(folder)/\($1)") }
      return "\(folder)/\(try #require(found))"
    }

    @Test(
      "a whole copy has no problems, and says what the directory says; one byte of each file is asked for")
    func whole() throws {
      let server = try WebServer(repository.path)
      let run = try verify("\(server.url)/")
      #expect(run.status == 0 && run.error == "", "\(run)")
      let local = try ChildProcess.run(try Programs.tinypublish(), ["verify", repository.path])
      #expect(run.output == local.output)
      let deep = try verify(server.url, "--deep")
      #expect(deep.status == 0 && deep.error == "" && deep.output == local.output, "\(deep)")
      let log = try server.finish()
      let count = try ["components", "payloads"].reduce(0) {
        try $0 + names("\(repository.path)/\($1)").count
      }
      // The bytes of the second run follow its questions, release by release.
      #expect(log.payloads.count == 3 * count)
      #expect(log.payloads.prefix(count).allSatisfy { $0.status == 206 && $0.sent == 1 })
      // Eight and one in each run, and not one for each file; on a busy machine some break and are made again.
      #expect(Set(log.map(\.connection)).count <= log.count / 4, "\(log.count)")
      try expectNothingLeft()
    }

    @Test(
      "a server with authorities of its own that wants to know its clients is verified, with options or variables"
    )
    func certificates() throws {
      let authority = try CertificateAuthority()
      let own = try authority.issue("publisher")
      let server = try WebServer(
        repository.path, authority: authority,
        directives: "ssl_verify_client on; ssl_client_certificate \(authority.certificate);")
      let client = ["--client-certificate", own.certificate, "--client-key", own.key]
      let url = server.url
      func verify(_ options: [String], _ variables: [String: String] = [:]) throws -> ChildProcess.Outcome {
        let environment = variables.merging(["PATH": "/usr/bin:/bin", "TMPDIR": scratch.path]) { $1 }
        return try ChildProcess.run(
          try Programs.tinypublish(), ["verify", url, "--root", sample.repository.root] + options,
          environment: environment)
      }
      let authorities = ["--certificate-authorities", authority.certificate]
      let known = try verify(authorities + client)
      #expect(known.status == 0 && known.error == "", "\(known)")
      for variable in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
        #expect(try verify(client, [variable: authority.certificate]).status == 0)
        #expect(try verify(authorities + client, [variable: "/nowhere"]).status == 0)
      }
      // One that is empty counts as not set.
      #expect(try verify(client, ["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": authority.certificate]).status == 0)
      #expect(try verify(client).status != 0)
      #expect(try verify(authorities).status != 0)
      #expect(try verify(["--certificate-authorities", "/nowhere"] + client).status == 24)
      #expect(try verify(authorities + ["--client-key", own.key]).status == 64)
      let local = try ChildProcess.run(try Programs.tinypublish(), ["verify", repository.path] + authorities)
      #expect(local.status == 64)
      _ = try server.finish()
      try expectNothingLeft()
    }

    @Test("a file that is missing or has another size or byte is named by its URL")
    func damaged() throws {
      let server = try WebServer(repository.path)
      for folder in ["catalogs", "components", "payloads"] {
        let name = try largest(folder)
        let bytes = try contents("\(repository.path)/\(name)")
        let url = "\(server.url)/\(name)"
        try repository.replace(name, Array(bytes.dropLast()))
        let short = try verify(server.url)
        #expect(short.status == 21 && short.error.contains("\(url) has \(bytes.count - 1) bytes"), "\(short)")
        try repository.replace(name, bytes + [0])
        let long = try verify(server.url)
        #expect(long.status == 21 && long.error.contains("\(url) has \(bytes.count + 1) bytes"), "\(long)")
        try repository.edit(name) {
          $0 = bytes
          $0[bytes.count / 2] ^= 1
        }
        let shallow = try verify(server.url)
        #expect(shallow.status == (folder == "catalogs" ? 21 : 0), "\(shallow)")
        let deep = try verify(server.url, "--deep")
        #expect(deep.status == 21 && deep.error.contains(url), "\(deep)")
        try Programs.run("rm", "\(repository.path)/\(name)")
        let missing = try verify(server.url)
        #expect(
          missing.status == 21 && missing.error.contains(url) && missing.error.contains("404"), "\(missing)")
        try scratch.write("repository/\(name)", bytes)
      }
      #expect(try verify(server.url).status == 0)
      try expectNothingLeft()
    }

    @Test("metadata that a device would not trust is a problem, and no server is trusted without a root")
    func metadata() throws {
      let server = try WebServer(repository.path)
      let none = try ChildProcess.run(try Programs.tinypublish(), ["verify", server.url])
      #expect(none.status == 64 && none.error.contains("--root FILE"), "\(none)")
      let whole = try contents("\(repository.path)/metadata/timestamp.json")
      try repository.signTimestamp { $0["expires"] = "2020-01-01T00:00:00Z" }
      let expired = try verify(server.url)
      #expect(expired.status == 21 && expired.error.contains("expired"), "\(expired)")
      try repository.replace("metadata/timestamp.json", Array(whole.dropLast(9)))
      #expect(try verify(server.url).status == 21)
      try Programs.run("rm", "\(repository.path)/metadata/timestamp.json")
      let missing = try verify(server.url)
      #expect(
        missing.status == 21 && missing.error.contains("\(server.url)/metadata/timestamp.json"), "\(missing)")
      server.kill()
      let gone = try verify(server.url)
      #expect(gone.status == 21 && gone.error.contains(server.url), "\(gone)")
      try expectNothingLeft()
    }

    @Test("a server without ranges, one that keeps the timestamp and one that compresses are found")
    func servers() throws {
      let plain = try WebServer(repository.path, directives: "max_ranges 0;")
      let run = try verify(plain.url)
      #expect(run.status == 0 && run.error.contains("does not send parts of files"), "\(run)")
      let kept = try WebServer(
        repository.path, directives: "add_header Cache-Control 'public, max-age=86400';")
      let late = try verify(kept.url)
      #expect(late.status == 0 && late.error.contains("may keep it for 86400 seconds"), "\(late)")
      let recipe = try WebServer(
        repository.path,
        directives: """
          add_header Cache-Control 'public, max-age=31536000, immutable';
          location = /metadata/timestamp.json { add_header Cache-Control no-cache; }
          """)
      #expect(try verify(recipe.url).error == "")
      let broken = try WebServer(
        repository.path,
        directives: "location /components/ { return 503; } location /payloads/ { return 503; }")
      let stopped = try verify(broken.url)
      #expect(stopped.status == 24 && stopped.error.contains("the server answered 503"), "\(stopped)")
      let packed = try WebServer(
        repository.path, directives: "location /components/ { add_header Content-Encoding gzip; }")
      let other = try verify(packed.url)
      #expect(other.status == 21 && other.error.contains("compresses its answers"), "\(other)")
      try expectNothingLeft()
    }
  }
}
