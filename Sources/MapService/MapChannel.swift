internal import JSONReading
internal import Platform
internal import Varlink

/// One request, and where its answers come from: a connection to the service, or a process of the program.
final class MapChannel {
  let request: UInt64
  private let source: Source
  private var inbox: VarlinkInbox
  private var hasResult = false
  private(set) var hasEnded = false

  private enum Source {
    case service(LocalConnection)
    case program(WorkerOutput)
  }

  private init(_ request: UInt64, _ source: Source) {
    self.request = request
    self.source = source
    inbox = VarlinkInbox(limit: VarlinkLimits.reply)
  }

  // Not initialisers: Embedded Swift does not free the object of one that throws.

  /// Calls the method of the service at `socket`; throws if nobody listens there.
  static func call(
    _ request: UInt64, _ method: MapMethod, _ parameters: JSON, at socket: String
  ) throws(Failure) -> MapChannel {
    let connection = try LocalConnection.connect(to: socket)
    let message = VarlinkCall.message(
      "\(MapInterface.name).\(method.name)", parameters: parameters, more: true)
    // A new connection has room for a message as long as the service takes.
    guard message.count <= VarlinkLimits.message, connection.send(message[...]) == .bytes(message.count)
    else {
      throw Failure(Errno.tooLong, path: socket)
    }
    return MapChannel(request, .service(connection))
  }

  /// Starts a program with these words, which writes lines of JSON.
  static func start(_ request: UInt64, program: String, words: [String]) throws(Failure) -> MapChannel {
    MapChannel(request, .program(try WorkerOutput.startUnattended(program, words)))
  }

  /// For `DescriptorSet`.
  var raw: CInt {
    switch source {
    case .service(let connection): connection.raw
    case .program(let program): program.raw
    }
  }

  /// Reads what is there, and returns the events that are complete.
  func read() -> [MapEvent] {
    let room = min(inbox.room, MapChannel.portion)
    let transfer = inbox.fill { [source] bytes in
      switch source {
      case .service(let connection): connection.receive(into: &bytes, upTo: room)
      case .program(let program): program.receiveLines(into: &bytes, upTo: room)
      }
    }
    var events: [MapEvent] = []
    while let message = inbox.next() {
      switch source {
      case .service: take(answer: message, into: &events)
      case .program: take(line: message, into: &events)
      }
    }
    if inbox.isOverfull || transfer == .closed { end(into: &events) }
    return events
  }

  private func take(line: [UInt8], into events: inout [MapEvent]) {
    do throws(JSONError) { take(try JSONValue(message: line), into: &events) } catch {}
  }

  private func take(answer: [UInt8], into events: inout [MapEvent]) {
    guard let answer = VarlinkAnswer(answer) else { return end(into: &events) }
    if let error = answer.error {
      take(error, answer.parameters, into: &events)
    } else {
      answer.parameters?.member("events")?.forEachElement { take($0, into: &events) }
    }
    if !answer.continues { end(into: &events) }
  }

  private func take(_ event: JSONValue, into events: inout [MapEvent]) {
    guard event.kind == .object, !hasResult else { return }
    let event = MapEvent(request: request, content: event)
    hasResult = event.result != nil
    events.append(event)
  }

  /// An error of the service, as the event `result` that the program writes.
  private func take(_ error: String, _ parameters: JSONValue?, into events: inout [MapEvent]) {
    let word = error.parts(separatedBy: ".").last ?? ""
    switch word {
    case "Failed":
      let exit = parameters?.member("exit")?.whole ?? -1
      var json = MapChannel.result(MapResult(exit: exit), parameters?.member("message")?.text ?? "")
      for name in MapMethod.figuresOfSpace {
        if let number = parameters?.member(name)?.whole { json.add(name, number) }
      }
      finish(json, into: &events)
    case "PermissionDenied":
      finish(
        .permissionDenied, "the service does not let this user do that: socket_group names who may",
        into: &events)
    case "TooBusy":
      finish(.code(.busy), "the service has as much to do as it takes; ask again in a moment", into: &events)
    default:
      finish(.code(.usage), "the service does not accept that (\(error.escapingControls))", into: &events)
    }
  }

  private func end(into events: inout [MapEvent]) {
    hasEnded = true
    if hasResult { return }
    finish(
      .code(.storage),
      "it ended before it said how; an operation may go on, and a watch shows whether it does",
      into: &events)
  }

  private func finish(_ result: MapResult, _ message: String, into events: inout [MapEvent]) {
    finish(MapChannel.result(result, message), into: &events)
  }

  private func finish(_ json: JSON, into events: inout [MapEvent]) {
    take(line: Array(json.text.utf8), into: &events)
    hasEnded = true
  }

  /// The event `result`, to which members may be added.
  private static func result(_ result: MapResult, _ message: String) -> JSON {
    var json = JSON()
    json.add("event", "result")
    json.add("result", result.name)
    json.add("exit", result.exit)
    if !message.isEmpty { json.add("message", message) }
    return json
  }

  /// Bytes that are read at a time.
  private static var portion: Int { 64 << 10 }
}
