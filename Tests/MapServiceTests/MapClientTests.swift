import Foundation
import JSONReading
import Platform
import Synchronization
import TestSupport
import Testing

@testable import MapService

@Suite("A client of the service")
struct MapClientTests {
  private let scratch: Scratch
  private var socket: String { "\(scratch.path)/socket" }

  init() throws { scratch = try Scratch("map-client") }

  private func client(program: String = "") throws -> MapClient {
    var options = MapClientOptions()
    options.root = "\(scratch.path)/store"
    (options.socket, options.program) = (socket, program)
    return try MapClient(options)
  }

  /// The events of one request to a service that answers it with these bytes, and then closes.
  private func answer(_ bytes: [UInt8]) throws -> [MapEvent] {
    let listener = try LocalListener(at: socket)
    let client = try client()
    let request = try client.begin(.getStatus)
    let accepted: LocalConnection = try #require(listener.accept())
    var service: LocalConnection? = consume accepted
    var sent = bytes[...]
    var events: [MapEvent] = []
    let end = Clock.milliseconds + 20_000
    while events.last?.result == nil {
      try #require(Clock.milliseconds < end)
      if case .bytes(let count) = service?.send(sent) { sent = sent.dropFirst(count) }
      // It closes the connection.
      if sent.isEmpty { service = nil }
      while let occasion = client.next() {
        if case .event(let event) = occasion {
          #expect(event.request == request)
          events.append(event)
        }
      }
    }
    let isQuiet = if case .none = client.next() { true } else { false }
    #expect(isQuiet)
    return events
  }

  private func answer(_ messages: String...) throws -> [MapEvent] {
    try answer(messages.flatMap { Array($0.utf8) + [0] })
  }

  @Test("replies in parts are events in their order, the last of which is the result")
  func replies() throws {
    let events = try answer(
      #"{"parameters":{"events":[{"event":"status","release":{"number":4}},{"event":"x"}]},"continues":true}"#,
      #"{"parameters":{"events":[{"event":"result","result":"Success","exit":0}]}}"#)
    #expect(events.map(\.name) == ["status", "x", "result"])
    #expect(events[0].value("release.number")?.whole == 4)
    #expect(events[0].value("release.nothing") == nil && events[0].value("") == nil)
    #expect(events[2].result == .code(.success))
  }

  @Test("errors of the service are results, with what they say")
  func errors() throws {
    let cases: [(String, String, Int64)] = [
      (
        #"{"error":"org.tinyupdater.Maps.Failed","parameters":{"result":"OutOfSpace","exit":22,"message":"m","needed":7}}"#,
        "OutOfSpace", 22
      ),
      (#"{"error":"org.varlink.service.PermissionDenied","parameters":{}}"#, "PermissionDenied", 77),
      (#"{"error":"org.tinyupdater.Maps.TooBusy","parameters":{}}"#, "Busy", 25),
      (
        #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"a"}}"#, "InvalidParameters",
        64
      ),
      (#"{"error":"\u001b[2J"}"#, "InvalidParameters", 64),
      (#"{"error":"org.tinyupdater.Maps.Failed","parameters":{"exit":4711}}"#, "StorageFailed", 24),
    ]
    for (text, name, exit) in cases {
      let events = try answer(text)
      #expect(events.count == 1 && events[0].value("result")?.text == name, "\(text)")
      #expect(events[0].result?.exit == exit && events[0].result?.name == name, "\(text)")
    }
    #expect(try answer(cases[0].0)[0].value("needed")?.whole == 7)
  }

  @Test("a service that ends too early, or says nonsense, gives one result, whatever it said before")
  func nonsense() throws {
    let first = #"{"parameters":{"events":[{"event":"status"}]},"continues":true}"#
    for rest in [
      "", "nonsense", "{}", "[]", "{\"parameters\":[]}", #"{"parameters":{"events":{}}}"#, "\u{1}",
    ] {
      let events = try answer(first, rest)
      #expect(events.map(\.name) == ["status", "result"], "\(rest)")
      #expect(events[1].result == .code(.storage), "\(rest)")
    }
    // Events that are none are passed over; nothing follows a result.
    let odd = #"{"parameters":{"events":[1,null,[],{"event":"result","exit":0},{"event":"late"}]}}"#
    #expect(try answer(odd).map(\.name) == ["result"])
  }

  @Test("every beginning of a reply, and every reply with another byte, ends in one result")
  func mutations() throws {
    let whole = Array(#"{"parameters":{"events":[{"event":"a","b":[1,2]}]},"continues":true}"#.utf8) + [0]
    for count in whole.indices { #expect(try answer(Array(whole[..<count])).last?.result != nil) }
    var random = SeededGenerator(9)
    for index in whole.indices {
      var bytes = whole
      bytes[index] = UInt8.random(in: 0...255, using: &random)
      #expect(try answer(bytes).filter { $0.result != nil }.count == 1)
    }
  }

  @Test("a message that never ends is cut off")
  func endless() throws {
    let events = try answer([UInt8](repeating: UInt8(ascii: "a"), count: 3 << 20))
    #expect(events.map(\.name) == ["result"])
  }

  @Test("without a service the program is started, whose lines are events, and whose end is an end")
  func program() throws {
    try scratch.write(
      "program",
      """
      #!/bin/sh
      echo 'a complaint' >&2
      echo '{"event":"words","words":"'"$*"'"}'
      echo 'nonsense'
      echo '{"event":"result","result":"Busy","exit":25}'
      """)
    try Programs.makeExecutable("\(scratch.path)/program")
    let client = try client(program: "\(scratch.path)/program")
    var parameters = JSON()
    parameters.add("ids", ["a/b"])
    _ = try client.begin(.install, parameters)
    var events: [MapEvent] = []
    let end = Clock.milliseconds + 20_000
    while events.last?.result == nil, Clock.milliseconds < end {
      if case .event(let event) = client.next() { events.append(event) }
    }
    #expect(events.map(\.name) == ["words", "result"])
    #expect(events.first?.value("words")?.text == "--json --root=\(scratch.path)/store install -- a/b")
    #expect(events.last?.result == .code(.busy))
  }

  @Test("more requests than are answered at a time are refused, and one that is left makes room")
  func many() throws {
    let listener = try LocalListener(at: socket)
    let client = try client()
    let requests = try (0..<16).map { _ in try client.begin(.watch) }
    #expect(throws: MapRefusal.self) { try client.begin(.watch) }
    client.leave(requests[3])
    #expect(try client.begin(.watch) == 17)
    _ = listener
  }

  @Test("degrees are written to a centimetre, and what is no place is refused")
  func degrees() {
    #expect(MapPlace.text(1.5) == "1.5000000" && MapPlace.text(-0.00000004) == "0.0000000")
    #expect(MapPlace.text(-14.18361) == "-14.1836100" && MapPlace.text(180) == "180.0000000")
    for wrong in [180.1, -181, .infinity, .nan] { #expect(MapPlace.text(wrong) == nil) }
  }
}

private enum Programs {
  static func makeExecutable(_ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }
}
