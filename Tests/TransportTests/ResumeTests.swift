import Platform
import Testing

@testable import Transport

/// Only the right part of the same file is ever appended.
@Suite("Resuming")
struct ResumeTests {
  private let body = Fixture.body
  private var size: UInt64 { UInt64(body.count) }

  /// Fetches with the first `stored` bytes already there.
  private func resume(
    _ server: ScriptedServer, stored: [UInt8], size: UInt64? = nil
  ) throws -> Fixture.Outcome {
    try server.serve { base in
      try Fixture.fetch(Request("\(base)/file", size: size ?? self.size), into: PreparedSink(stored))
    }
  }

  private func expectWhole(_ outcome: Fixture.Outcome, restarts: Int) {
    #expect(outcome.error == nil)
    #expect(outcome.sink.bytes == body)
    #expect(outcome.sink.restarts == restarts)
  }

  @Test("a file that is there is not asked for")
  func complete() throws {
    let server = try ScriptedServer(.status(500))
    expectWhole(try resume(server, stored: body), restarts: 0)
    #expect(server.questions == [])
  }

  @Test("a partial download that is too long is thrown away")
  func tooLong() throws {
    let server = try ScriptedServer(.ok(body))
    expectWhole(try resume(server, stored: body + [0]), restarts: 1)
    #expect(server.ranges == [nil])
  }

  @Test("the exact part is appended")
  func part() throws {
    let server = try ScriptedServer(.part(body, from: 1000))
    let outcome = try resume(server, stored: Array(body[..<1000]))
    expectWhole(outcome, restarts: 0)
    #expect(server.ranges == ["bytes=1000-"])
    #expect(outcome.downloaded == 4000)
  }

  @Test("a 200 instead of a 206 starts from zero")
  func okInstead() throws {
    let server = try ScriptedServer(.ok(body))
    expectWhole(try resume(server, stored: [9, 9, 9]), restarts: 1)
    #expect(server.ranges == ["bytes=3-"])
  }

  @Test(
    "a 206 with a part that was not asked for is not appended; the file is fetched from the start",
    arguments: [
      "bytes 0-4999/5000", "bytes 1001-4999/5000", "bytes 1000-4999/6000", "bytes 1000-4999/*",
      "bytes */5000", "bytes 1000-5000/5000", "bytes 4999-1000/5000", "bytes -1000/5000",
      "octets 1000-4999/5000",
      "bytes 18446744073709551616-18446744073709551617/5000", "", "1000",
    ])
  func wrongPart(range: String) throws {
    let server = try ScriptedServer(.part(Array(body[1000...]), range: range), .ok(body))
    expectWhole(try resume(server, stored: Array(body[..<1000])), restarts: 1)
    #expect(server.ranges == ["bytes=1000-", nil])
  }

  @Test("a 206 without Content-Range is not appended")
  func noRange() throws {
    let server = try ScriptedServer(
      .raw(["HTTP/1.1 206 Partial Content", "Content-Length: 4000"], body: Array(body[1000...])), .ok(body))
    expectWhole(try resume(server, stored: Array(body[..<1000])), restarts: 1)
  }

  @Test("a server that only ever gives wrong parts is given up, and what came before stays")
  func alwaysWrong() throws {
    let server = try ScriptedServer(.part(Array(body[1000...]), range: "bytes 7-4006/5000"))
    let outcome = try resume(server, stored: Array(body[..<1000]))
    #expect(outcome.error == .refused(url: "http://127.0.0.1:\(server.port)/file", status: 206))
    #expect(server.questions.count == 3)
    #expect(outcome.sink.bytes == Array(body[..<1000]))
  }

  @Test("a 416 starts from zero; a server that always says so is given up")
  func notSatisfiable() throws {
    let server = try ScriptedServer(.status(416, headers: ["Content-Range: bytes */5000"]), .ok(body))
    expectWhole(try resume(server, stored: [1, 2, 3]), restarts: 1)
    #expect(server.ranges == ["bytes=3-", nil])
    let stubborn = try ScriptedServer(.status(416))
    let outcome = try resume(stubborn, stored: [1, 2, 3])
    #expect(outcome.error == .refused(url: "http://127.0.0.1:\(stubborn.port)/file", status: 416))
    #expect(stubborn.questions.count == 3)
  }

  @Test("a connection that breaks in the middle resumes with exactly the next byte")
  func cut() throws {
    let server = try ScriptedServer(
      .ok(body).cut(1234, of: 5000), .part(body, from: 1234).cut(2000, of: 3766), .part(body, from: 3234))
    let outcome = try resume(server, stored: [])
    expectWhole(outcome, restarts: 0)
    #expect(server.ranges == [nil, "bytes=1234-", "bytes=3234-"])
    #expect(outcome.recorder.attempts == [1, 2])
    #expect(outcome.recorder.found == 2)
    #expect(outcome.downloaded == 5000)
  }

  @Test(
    "another validator than before the break means another file: it is fetched from the start",
    arguments: [
      (["ETag: \"a\""], ["ETag: \"b\""]), (["ETag: \"a\""], []), (["ETag: \"a\""], ["ETag: W/\"a\""]),
      (["Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT"], ["Last-Modified: Tue, 02 Jan 2024 00:00:00 GMT"]),
    ])
  func changed(before: [String], after: [String]) throws {
    let server = try ScriptedServer(
      .ok([UInt8](repeating: 1, count: 5000), headers: before).cut(1000, of: 5000),
      .part(body, from: 1000, headers: after),
      .ok(body, headers: after))
    expectWhole(try resume(server, stored: []), restarts: 1)
    #expect(server.ranges == [nil, "bytes=1000-", nil])
  }

  @Test(
    "the same validator as before the break means the same file", arguments: ["ETag: \"a\"", "etag:\"a\""])
  func unchanged(validator: String) throws {
    let server = try ScriptedServer(
      .ok(body, headers: ["ETag: \"a\""]).cut(1000, of: 5000), .part(body, from: 1000, headers: [validator]))
    expectWhole(try resume(server, stored: []), restarts: 0)
  }

  @Test("connections that keep breaking use up the retries; what came stays for the next run")
  func unreachable() throws {
    let server = try ScriptedServer(.ok(body).cut(1000, of: 5000), .part(body, from: 1000).cut(0, of: 4000))
    let outcome = try resume(server, stored: [])
    guard case .unreachable(let url, _, attempts: 3) = outcome.error else {
      Issue.record("\(String(describing: outcome.error))")
      return
    }
    #expect(url == "http://127.0.0.1:\(server.port)/file")
    #expect(server.ranges == [nil, "bytes=1000-", "bytes=1000-"])
    #expect(outcome.sink.bytes == Array(body[..<1000]))
  }

  @Test("progress earns new attempts, however often the connection breaks")
  func progress() throws {
    let large = [UInt8](repeating: 5, count: 6 << 16)
    let cuts = (0..<5).map {
      ScriptedServer.Reply.part(large, from: $0 << 16).cut(1 << 16, of: large.count - $0 << 16)
    }
    let server = try ScriptedServer(
      .ok(large).cut(1 << 16, of: large.count), cuts[1], cuts[2], cuts[3], cuts[4],
      .part(large, from: 5 << 16))
    let outcome = try resume(server, stored: [], size: UInt64(large.count))
    #expect(outcome.error == nil)
    #expect(outcome.sink.bytes == large)
    #expect(outcome.recorder.attempts == [1, 1, 1, 1, 1])
  }

  @Test("what the page with an error is called is not what the file is called")
  func errorPageValidator() throws {
    let server = try ScriptedServer(
      .ok(body, headers: ["ETag: \"a\""]).cut(1000, of: 5000),
      .status(503, headers: ["ETag: \"page\"", "Retry-After: 0"]),
      .part(body, from: 1000, headers: ["ETag: \"a\""]))
    let outcome = try resume(server, stored: [])
    expectWhole(outcome, restarts: 0)
    #expect(outcome.downloaded == 5000)
  }

  @Test("a redirect's validator is not the file's")
  func redirectValidator() throws {
    let server = try ScriptedServer(
      .ok(body, headers: ["ETag: \"a\""]).cut(1000, of: 5000),
      .status(302, headers: ["ETag: \"r\"", "Location: /file"]),
      .part(body, from: 1000, headers: ["ETag: \"a\""]))
    expectWhole(try resume(server, stored: []), restarts: 0)
  }

  @Test(
    "a file that is begun again and again is given up, however far it comes each time",
    arguments: [
      ScriptedServer.Reply.status(416), .part([1, 2, 3], range: "bytes 7-9/400000"),
      .part([UInt8](repeating: 5, count: 1000), from: 0, headers: ["ETag: \"other\""]),
    ])
  func startOverLoop(second: ScriptedServer.Reply) throws {
    let large = [UInt8](repeating: 5, count: 400_000)
    let first = ScriptedServer.Reply.ok(large, headers: ["ETag: \"a\""]).cut(70_000, of: large.count)
    let replies = (0..<200).flatMap { _ in [first, second] }
    let server = try ScriptedServer(replies)
    let outcome = try resume(server, stored: [], size: UInt64(large.count))
    #expect(outcome.error != nil)
    #expect(server.questions.count <= 8)
    #expect(outcome.downloaded <= 4 * 70_100)
  }

  @Test("a server without ranges is given up after as many starts as there are retries")
  func wholeAgainAndAgain() throws {
    let large = [UInt8](repeating: 5, count: 100 << 16)
    let replies = (1..<100).map { ScriptedServer.Reply.ok(large).cut($0 << 16, of: large.count) }
    let server = try ScriptedServer(replies)
    let outcome = try resume(server, stored: [], size: UInt64(large.count))
    guard case .unreachable = outcome.error else {
      Issue.record("\(String(describing: outcome.error))")
      return
    }
    #expect(server.questions.count <= 7)
  }

  @Test("a change of the file is not a lost connection")
  func startOverIsSilent() throws {
    let server = try ScriptedServer(.status(416), .ok(body))
    let outcome = try resume(server, stored: [1, 2, 3])
    #expect(outcome.recorder.found == 0)
    #expect(outcome.recorder.lost == [])
  }
}
