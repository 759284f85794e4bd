import Glibc
import Platform
import TestSupport
import Testing

@testable import Transport

@Suite("Client")
struct ClientTests {
  private let scratch: Scratch
  private let body = Fixture.body

  init() throws {
    scratch = try Scratch("transport")
    try scratch.write("file", body)
  }

  private func once() -> TransportSettings {
    var settings = Fixture.settings
    settings.retries = 0
    return settings
  }

  @Test("a local file is read, also from the middle", arguments: [0, 1, 4999])
  func file(stored: Int) throws {
    let request = Request("file://\(scratch.path)/file", size: UInt64(body.count))
    let outcome = try Fixture.fetch(request, into: PreparedSink(Array(body[..<stored])))
    #expect(outcome.error == nil)
    #expect(outcome.sink.bytes == body)
    #expect(outcome.downloaded == UInt64(body.count - stored))
  }

  @Test("a local file of another size is refused", arguments: [4999, 5001])
  func wrongFile(size: UInt64) throws {
    let url = "file://\(scratch.path)/file"
    guard case .wrongSize(url, expected: size, _) = try Fixture.fetch(Request(url, size: size)).error else {
      Issue.record("taken")
      return
    }
  }

  @Test(
    "a URL that leads nowhere ends at once",
    arguments: ["ftp://127.0.0.1/x", "gopher://127.0.0.1/x", "http://"])
  func badURL(url: String) throws {
    let outcome = try Fixture.fetch(Request(url, limit: 100))
    guard case .badURL(url, _) = outcome.error else {
      Issue.record("\(String(describing: outcome.error))")
      return
    }
    #expect(outcome.recorder.lost == [])
  }

  @Test("a local file that is shorter than what is there is read from the start, and has the wrong size")
  func shorterLocalFile() throws {
    try scratch.write("file", [UInt8](repeating: 1, count: 100))
    let request = Request("file://\(scratch.path)/file", size: 5000)
    let outcome = try Fixture.fetch(request, into: PreparedSink([UInt8](repeating: 2, count: 200)))
    #expect(outcome.error == .wrongSize(url: request.url, expected: 5000, found: 100))
    #expect(outcome.recorder.lost == [])
  }

  @Test("a local file that is not there is an absence, as 404 and 403 are")
  func missingFile() throws {
    let url = "file:///nonexistent/file"
    let error = try Fixture.fetch(Request(url, limit: 100)).error
    #expect(error == .noSuchFile(url: url))
    #expect(error?.isAbsentOnServer == true)
    #expect(Failure.refused(url: url, status: 403).isAbsentOnServer)
    #expect(!Failure.refused(url: url, status: 410).isAbsentOnServer)
  }

  @Test("a port without a listener is tried as often as is set", arguments: [0, 1, 3])
  func refusedConnection(retries: Int) throws {
    var settings = Fixture.settings
    settings.retries = retries
    // The port was free a moment ago, and only this server would have had it.
    let url = "http://127.0.0.1:\(try ScriptedServer(.silence).serve { $0.split(separator: ":")[2] })/x"
    let outcome = try Fixture.fetch(Request(url, limit: 100), settings: settings)
    guard case .unreachable(url, _, attempts: retries + 1) = outcome.error else {
      Issue.record("\(String(describing: outcome.error))")
      return
    }
    #expect(outcome.recorder.lost.count == retries)
  }

  @Test("an unknown host is unreachable")
  func unknownHost() throws {
    let url = "http://no-such-host.invalid/x"
    guard
      case .unreachable(url, _, attempts: 1) = try Fixture.fetch(Request(url, limit: 100), settings: once())
        .error
    else {
      Issue.record("reached")
      return
    }
  }

  @Test("a plain server where TLS is asked for is unreachable, never plain")
  func noTLS() throws {
    let server = try ScriptedServer(.ok(body))
    var settings = once()
    settings.connectTimeout = 1
    let outcome = try server.serve { _ in
      try Fixture.fetch(Request("https://127.0.0.1:\(server.port)/x", limit: 100_000), settings: settings)
    }
    guard case .unreachable = outcome.error else {
      Issue.record("\(String(describing: outcome.error))")
      return
    }
    #expect(outcome.sink.bytes == [])
  }

  @Test("a file sink continues after the bytes of the file, and can be reset")
  func fileSink() throws {
    var sink = try FileSink(try File(opening: "\(scratch.path)/file", to: .update))
    #expect(sink.count == 5000)
    let (front, back): ([UInt8], [UInt8]) = ([1, 2, 3], [4])
    try sink.write(front.span.bytes)
    #expect(sink.count == 5003)
    try sink.reset()
    #expect(sink.count == 0)
    try sink.write(back.span.bytes)
    try sink.close()
    #expect(try scratch.read("file") == back)
  }
}
