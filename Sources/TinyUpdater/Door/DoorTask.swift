internal import JSONReading
internal import MapService
internal import Platform
internal import Varlink

/// A command that a client has called, and what of its output has become of replies.
final class DoorTask {
  let kind: MapMethod.Kind
  private let worker: DoorWorker
  private let wantsMore: Bool
  /// What it has written of a line that has no end yet.
  private var line: [UInt8] = []
  /// Lines that no reply has had yet.
  private var events: [UInt8] = []
  /// The operation has its number.
  private var isQueued = false
  /// The last line, if it is a `result`.
  private var result: [UInt8] = []
  /// The client has its last reply; further output is dropped.
  private var isAnswered = false
  private(set) var hasEnded = false

  init(_ method: MapMethod, _ worker: DoorWorker, wantsMore: Bool) {
    kind = method.kind
    self.worker = worker
    self.wantsMore = wantsMore
  }

  /// Where its output comes from, for `Poll`.
  var raw: CInt { worker.output.raw }

  /// Its client is gone: a question ends, and a change continues.
  func leave() {
    isAnswered = true
    if kind == .question || kind == .stream { worker.stop() }
  }

  /// Reads what it has written, and returns the replies that this makes.
  func read() -> [VarlinkReply] {
    var bytes: [UInt8] = []
    switch worker.output.receive(into: &bytes, upTo: DoorTask.portion) {
    case .later: return []
    case .bytes:
      take(bytes)
      return replies()
    case .closed:
      hasEnded = true
      return isAnswered ? [] : [last()]
    }
  }

  private func take(_ bytes: [UInt8]) {
    guard !isAnswered else { return }
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        continue
      }
      if line.starts(with: DoorTask.resultPrefix) { result = line }
      if line.starts(with: DoorTask.operationPrefix) { isQueued = true }
      if !events.isEmpty { events.append(UInt8(ascii: ",")) }
      events += line
      line = []
    }
  }

  private func replies() -> [VarlinkReply] {
    guard !isAnswered, !events.isEmpty else { return [] }
    if kind == .operation && !wantsMore, result.isEmpty, isQueued {
      isAnswered = true
      return [takeEvents(continues: false)]
    }
    // Until the end it is not known whether this is the last one.
    guard wantsMore, result.isEmpty else {
      return events.count > VarlinkLimits.waiting ? [tooMuch()] : []
    }
    return [takeEvents(continues: true)]
  }

  /// A client that takes one reply cannot have all of that.
  private func tooMuch() -> VarlinkReply {
    leave()
    return .expectedMore
  }

  /// The reply after which there is none.
  private func last() -> VarlinkReply {
    isAnswered = true
    let outcome = DoorOutcome(result)
    if outcome.isFailure { return outcome.error }
    return takeEvents(continues: false)
  }

  private func takeEvents(continues: Bool) -> VarlinkReply {
    let list = String(decoding: events, as: UTF8.self)
    events = []
    return .parameters("{\"events\":[\(list)]}", continues: continues)
  }

  private static var resultPrefix: [UInt8] { Array("{\"event\":\"result\"".utf8) }
  private static var operationPrefix: [UInt8] { Array("{\"event\":\"operation\"".utf8) }
  /// Bytes that are read at a time.
  private static var portion: Int { 16 << 10 }
}

/// How a command ended, as its last line says it.
private struct DoorOutcome {
  private var name = "InitializationFailed"
  private var exit: Int64 = Int64(ExitStatus.unusable.rawValue)
  private var message = "tinyupdater ended without a result; its log may say why"
  private var figures: [(String, Int64)] = []

  init(_ line: [UInt8]) {
    do throws(JSONError) {
      guard !line.isEmpty else { return }
      let result = try JSONValue(message: line)
      guard let name = result.member("result")?.text, let exit = result.member("exit")?.whole else { return }
      self.name = name
      self.exit = exit
      message = result.member("message")?.text ?? ""
      for name in MapMethod.figuresOfSpace {
        if let figure = result.member(name)?.whole { figures.append((name, figure)) }
      }
    } catch {}
  }

  /// An answer such as "an update is available" is none.
  var isFailure: Bool { exit != 0 && exit != Int64(ExitStatus.updateAvailable.rawValue) }

  var error: VarlinkReply {
    var json = JSON()
    json.add("result", name)
    json.add("exit", exit)
    json.add("message", message)
    for (name, figure) in figures { json.add(name, figure) }
    return .error("\(MapInterface.name).Failed", json.text)
  }
}
