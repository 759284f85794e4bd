internal import MapService
internal import Platform

/// Starts the processes that carry out calls for a `Door`, which may start none: the half of the service that reads nothing
/// from clients.
///
/// It trusts nothing of what it is asked: nothing but commands of `org.tinyupdater.Maps` with their own options is started.
struct DoorStarter {
  private let channel: ProcessChannel
  /// The common options of each command line.
  private let options: [String]
  private var workers: [(number: UInt64, program: WorkerProgram)] = []
  /// Never given again: the door may ask to stop a command that has just ended.
  private var lastNumber: UInt64 = 0

  init(_ channel: ProcessChannel, options: [String]) {
    self.channel = channel
    self.options = options
  }

  /// Starts and stops what it is asked to, until a signal or the end of the door.
  mutating func run() {
    while !StopSignal.isRaised, serve() {}
    // The door may have had no signal.
    channel.end()
  }

  /// False at the end.
  private mutating func serve() -> Bool {
    var poll = Poll()
    let request = poll.add(channel.raw, .init(reading: true))
    poll.wait(milliseconds: 1000)
    workers.removeAll { $0.program.reap() }
    guard poll.canRead(request) else { return true }
    guard let message = channel.receive(upTo: StarterRequest.largest),
      let request = StarterRequest(message.bytes)
    else { return false }
    switch request {
    case .start(let method, let words): return start(method, words)
    case .stop(let number):
      for worker in workers where worker.number == number { worker.program.stop() }
      return true
    }
  }

  /// Starts a command and answers with its number and its output; with nothing but a zero if it cannot be started now.
  private mutating func start(_ method: MapMethod, _ words: [String]) -> Bool {
    guard method.mayHave(words) else { return false }
    guard workers.count < DoorStarter.mostWorkers else { return answer(0) }
    let line = words.prefix(1) + options + words.dropFirst()
    do throws(Failure) {
      let (program, output) = try WorkerProgram.start(Array(line))
      lastNumber += 1
      workers.append((lastNumber, program))
      return answer(lastNumber, with: output)
    } catch {
      Log.add(.error, text: "a command could not be started: \(error.sentence)", standardError: .written)
      return answer(0)
    }
  }

  private func answer(_ number: UInt64, with output: WorkerOutput? = nil) -> Bool {
    channel.send(Array("\(number)".utf8), with: output)
  }

  /// More than a door asks for, which counts a command as ended when its output is.
  private static var mostWorkers: Int { 4 * Door.mostTasks }
}

/// The door's end of the connection to its `DoorStarter`.
final class StarterConnection {
  private let channel: ProcessChannel
  private(set) var isGone = false

  init(_ channel: ProcessChannel) { self.channel = channel }

  /// For `Poll`.
  var raw: CInt { channel.raw }

  func disconnect() { isGone = true }

  /// Has a command started; nil if that is not possible now.
  func start(_ method: MapMethod, _ words: [String]) -> DoorWorker? {
    let isSent = channel.send(StarterRequest.start(method, words).bytes)
    guard isSent, let reply = channel.receive(upTo: 20) else {
      isGone = true
      return nil
    }
    guard let number = UInt64(ascii: reply.bytes), number > 0, let output = reply.output else {
      return nil
    }
    return DoorWorker(number, output, startedBy: self)
  }

  fileprivate func stop(_ number: UInt64) {
    if !channel.send(StarterRequest.stop(number).bytes) { isGone = true }
  }
}

/// A command that carries out a call.
final class DoorWorker {
  let output: WorkerOutput
  private let number: UInt64
  private let starter: StarterConnection

  fileprivate init(_ number: UInt64, _ output: WorkerOutput, startedBy starter: StarterConnection) {
    self.number = number
    self.output = output
    self.starter = starter
  }

  /// Asks it to end, as long as its output has not.
  func stop() { starter.stop(number) }
}
