import Platform
import Testing

@testable import Transport

/// What stands between a device and its server answers in its place: that says something of the way, not of the file.
@Suite("Answers that are not the file")
struct ForeignAnswerTests {
  private let body = Fixture.body
  private var size: UInt64 { UInt64(body.count) }

  private func fetch(_ server: ScriptedServer, stored: [UInt8] = []) throws -> Fixture.Outcome {
    try server.serve { base in
      try Fixture.fetch(Request("\(base)/file", size: size), into: PreparedSink(stored))
    }
  }

  private func expectUnreachable(_ outcome: Fixture.Outcome, attempts: Int = 3) {
    guard case .unreachable(_, _, attempts: attempts) = outcome.error else {
      Issue.record("\(String(describing: outcome.error))")
      return
    }
  }

  /// How a page with status 200 comes.
  enum Page: CaseIterable {
    case short, empty, longerThanFile, chunked, chunkedLongerThanFile, withoutLength, plainText, redirected
    /// A file of the portal's server, which serves ranges: longer than the file.
    case rangeOfPage, rangeOfRedirected

    private static let text = Array("<html>Please log in</html>".utf8)

    var replies: [ScriptedServer.Reply] {
      let long = [UInt8](repeating: 0x3c, count: 20_000)
      let html = "Content-Type: text/html; charset=utf-8"
      return switch self {
      case .short: [.ok(Page.text, headers: [html])]
      case .empty: [.ok([], headers: [html])]
      case .longerThanFile: [.ok(long, headers: [html])]
      case .chunked: [.chunked(Page.text, headers: [html])]
      case .chunkedLongerThanFile: [.chunked(long, headers: [html])]
      case .withoutLength: [.raw(["HTTP/1.1 200 OK", html], body: Page.text, ending: .close)]
      // Where nothing but its end says that it is too short.
      case .plainText: [.chunked(Page.text, headers: ["Content-Type: text/plain"])]
      case .redirected: [.status(302, headers: ["Location: /login"]), .ok(Page.text)]
      case .rangeOfPage: [.part(long, from: 0, headers: [html])]
      case .rangeOfRedirected: [.status(302, headers: ["Location: /login"]), .part(long, from: 0)]
      }
    }
  }

  @Test(
    "a login page in the place of the rest of a file takes nothing of what came", arguments: Page.allCases)
  func pageForRest(page: Page) throws {
    let first = ScriptedServer.Reply.ok(body, headers: ["ETag: \"a\""]).cut(1000, of: 5000)
    let rest = ScriptedServer.Reply.part(body, from: 1000, headers: ["ETag: \"a\""])
    let passing = try ScriptedServer([first] + page.replies + [rest])
    let outcome = try fetch(passing)
    #expect(outcome.error == nil)
    #expect(outcome.sink.bytes == body)
    #expect(outcome.sink.restarts == 0)

    let staying = try ScriptedServer([first] + page.replies + page.replies + page.replies)
    let kept = try fetch(staying)
    expectUnreachable(kept)
    #expect(kept.sink.bytes == Array(body[..<1000]))
    #expect(kept.sink.restarts == 0)
  }

  @Test("the next run finds the partial download whole as well", arguments: Page.allCases)
  func pageForPartial(page: Page) throws {
    let server = try ScriptedServer(page.replies + page.replies + page.replies)
    let outcome = try fetch(server, stored: Array(body[..<1000]))
    expectUnreachable(outcome)
    #expect(outcome.sink.bytes == Array(body[..<1000]))
  }

  @Test(
    "a login page as the first answer brings nothing, and the file comes when it is gone",
    arguments: Page.allCases.filter { $0 != .plainText })
  func pageFirst(page: Page) throws {
    let server = try ScriptedServer(page.replies + [.ok(body)])
    let outcome = try fetch(server)
    #expect(outcome.error == nil)
    #expect(outcome.sink.bytes == body)
  }

  @Test("a 206 with less than was asked for is continued at once (RFC 9110, section 15.3.7)")
  func shortParts() throws {
    let large = [UInt8](repeating: 7, count: 300_000)
    func piece(_ range: Range<Int>) -> ScriptedServer.Reply {
      .part(
        Array(large[range]), range: "bytes \(range.lowerBound)-\(range.upperBound - 1)/300000",
        headers: ["ETag: \"a\""])
    }
    let starts = Array(stride(from: 10_000, to: 300_000, by: 10_000))
    var settings = Fixture.settings
    // A pause would show.
    settings.retryDelay = 60_000
    for isSized in [true, false] {
      let outcome = try ScriptedServer(starts.map { piece($0..<$0 + 10_000) }).serve { base in
        let url = "\(base)/file"
        return try Fixture.fetch(
          isSized ? Request(url, size: 300_000) : Request(url, limit: 300_000),
          into: PreparedSink(Array(large[..<10_000])), settings: settings)
      }
      #expect(outcome.error == nil)
      #expect(outcome.sink.bytes.elementsEqual(large))
      #expect(outcome.sink.restarts == 0 && outcome.recorder.lost == [])
    }
  }

  @Test("a server that sends one byte at a time is given up")
  func tinyParts() throws {
    let server = try ScriptedServer(
      (1..<200).map { .part([body[$0]], range: "bytes \($0)-\($0)/5000") })
    let outcome = try fetch(server, stored: [body[0]])
    expectUnreachable(outcome)
    #expect(outcome.sink.bytes == Array(body[..<4]))
  }

  @Test("a body without a length that ends early is a broken connection, and is continued")
  func withoutLength() throws {
    let server = try ScriptedServer(
      .raw(["HTTP/1.1 200 OK", "ETag: \"a\""], body: Array(body[..<2000]), ending: .close),
      .raw(
        ["HTTP/1.1 206 Partial Content", "ETag: \"a\"", "Content-Range: bytes 2000-4999/5000"],
        body: Array(body[2000..<3000]), ending: .close),
      .part(body, from: 3000, headers: ["ETag: \"a\""]))
    let outcome = try fetch(server)
    #expect(outcome.error == nil)
    #expect(outcome.sink.bytes == body)
    #expect(outcome.sink.restarts == 0)
    #expect(server.ranges == [nil, "bytes=2000-", "bytes=3000-"])
    #expect(outcome.recorder.lost.count == 2)
  }

  @Test("a server with neither ranges nor lengths works, and what came once is not thrown away")
  func neither() throws {
    let server = try ScriptedServer(
      .raw(["HTTP/1.1 200 OK"], body: Array(body[..<3000]), ending: .close),
      .raw(["HTTP/1.1 200 OK"], body: Array(body[..<2000]), ending: .close), .chunked(body))
    let outcome = try fetch(server)
    #expect(outcome.error == nil)
    #expect(outcome.sink.bytes == body)
    #expect(outcome.sink.restarts == 0)
  }

  @Test("a file that is longer than it must be, by its ranges too, ends the request", arguments: [0, 1000])
  func longerFile(stored: Int) throws {
    let longer = body + [1, 2, 3]
    let part = ScriptedServer.Reply.part(longer, from: stored)
    let server = try ScriptedServer(stored > 0 ? [part, .ok(longer)] : [.ok(longer), part])
    let outcome = try fetch(server, stored: Array(body[..<stored]))
    let url = "http://127.0.0.1:\(server.port)/file"
    #expect(outcome.error == .wrongSize(url: url, expected: size, found: size + 3))
    #expect(server.ranges == (stored > 0 ? ["bytes=1000-", nil] : [nil, "bytes=0-"]))
    #expect(outcome.sink.bytes == Array(body[..<stored]))
  }

  @Test("a file that is shorter than it must be, by its ranges too, may still be on its way to the server")
  func shorterFile() throws {
    let shorter = Array(body[..<3000])
    let server = try ScriptedServer(.part(shorter, from: 1000), .ok(shorter))
    let outcome = try fetch(server, stored: Array(body[..<1000]))
    let url = "http://127.0.0.1:\(server.port)/file"
    #expect(outcome.error == .incomplete(url: url, expected: size, found: 3000))
    #expect(outcome.sink.bytes == Array(body[..<1000]))
    // It is there when it is asked for again.
    let growing = try ScriptedServer(.part(shorter, from: 1000), .ok(body))
    let later = try fetch(growing, stored: Array(body[..<1000]))
    #expect(later.error == nil)
    #expect(later.sink.bytes == body)
    #expect(later.sink.restarts == 1)
  }

  @Test("ranges that contradict each other take nothing of what came, if the whole file never comes")
  func contradiction() throws {
    let server = try ScriptedServer(.part(Array(body[1000...]), range: "bytes 7-4006/5000"))
    let outcome = try fetch(server, stored: Array(body[..<1000]))
    #expect(outcome.error == .refused(url: "http://127.0.0.1:\(server.port)/file", status: 206))
    #expect(outcome.sink.bytes == Array(body[..<1000]))
  }
}
