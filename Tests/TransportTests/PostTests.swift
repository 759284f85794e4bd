import Platform
import Testing

@testable import Transport

@Suite("Posting")
struct PostTests {
  private func post(_ reply: ScriptedServer.Reply) throws -> Delivery {
    var settings = TransportSettings()
    settings.proxy = ""
    let server = try ScriptedServer(reply)
    return try server.serve { url in
      var client = try Client(settings) { false }
      return client.post("{}", to: url + "/report", within: 5)
    }
  }

  @Test(
    "what becomes of it is said by the status of the answer",
    arguments: [
      (200, Delivery.delivered), (204, .delivered), (400, .rejected(status: 400)),
      (410, .rejected(status: 410)),
      (401, .undelivered(cause: "the server answered 401")),
      (403, .undelivered(cause: "the server answered 403")),
      (408, .undelivered(cause: "the server answered 408")),
      (429, .undelivered(cause: "the server answered 429")),
      (302, .undelivered(cause: "the server answered 302")),
      (500, .undelivered(cause: "the server answered 500")),
    ])
  func outcome(status: Int, delivery: Delivery) throws {
    var reply = ScriptedServer.Reply.status(status)
    reply.ending = .close
    #expect(try post(reply) == delivery)
  }

  @Test("a server that ends the connection, and one that is not there, have not got it")
  func broken() throws {
    guard case .undelivered = try post(.silence) else {
      Issue.record("it was delivered")
      return
    }
    var client = try Client(TransportSettings()) { false }
    guard case .undelivered = client.post("{}", to: "http://127.0.0.1:1/", within: 5) else {
      Issue.record("it was delivered")
      return
    }
  }

  @Test("files are no servers")
  func file() throws {
    var client = try Client(TransportSettings()) { false }
    guard case .undelivered = client.post("{}", to: "file:///etc/hostname", within: 5) else {
      Issue.record("it was delivered")
      return
    }
  }
}
