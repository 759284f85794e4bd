internal import MapService
internal import Platform
internal import Varlink

/// Serves `org.tinyupdater.Maps` on a socket: every call is carried out by a process of this program.
///
/// So the service does only what the command line does, and an update continues when the service ends. It runs confined, and
/// a `DoorStarter` starts those processes.
struct Door {
  private let listener: LocalListener
  private let group: UInt32?
  private let starter: StarterConnection
  private var clients: [DoorClient] = []
  /// Tasks whose client is gone, or has its answer.
  private var left: [DoorTask] = []
  /// When there last was anything to do, in milliseconds.
  private var lastUse = Clock.milliseconds

  init(_ listener: LocalListener, group: UInt32?, starter: StarterConnection) {
    self.listener = listener
    self.group = group
    self.starter = starter
  }

  /// Serves until a signal; on a socket that somebody else listens on, also until there is nothing to do.
  mutating func run() {
    while !StopSignal.isRaised && !isIdle && !starter.isGone { serve() }
    for client in clients { client.task?.leave() }
  }

  /// Nothing was done for a while, and the service manager starts this again when there is.
  private var isIdle: Bool {
    listener.isInherited && clients.isEmpty && left.isEmpty && Clock.milliseconds > lastUse + Door.idleTime
  }

  /// Waits for something to do, and does it.
  private mutating func serve() {
    var poll = Poll()
    let hasRoom = clients.count < Door.mostClients || clients.contains { $0.isIdle }
    let door = poll.add(listener.raw, .init(reading: hasRoom))
    let sockets = clients.map { poll.add($0.raw, $0.wish) }
    // One that is not to be read now is left out: its end would be noticed again and again.
    let outputs = clients.map { client in
      client.isThrottled ? nil : client.task.map { poll.add($0.raw, .init(reading: true)) }
    }
    let before = left.map { ($0, poll.add($0.raw, .init(reading: true))) }
    // It says nothing by itself, but it may end.
    let end = poll.add(starter.raw, .init(reading: true))
    poll.wait(milliseconds: 1000)
    if poll.canRead(end) { starter.disconnect() }

    for (index, client) in clients.enumerated() {
      if poll.canWrite(sockets[index]) { client.flush() }
      if let output = outputs[index], poll.canRead(output) { relay(to: client) }
      if poll.canRead(sockets[index]) { client.receive() }
      // Calls that it has left are not read before its task ends.
      if poll.isClosed(sockets[index]) && !client.wish.reading { client.disconnect() }
      while !client.isGone, let message = client.nextMessage() { answer(message, of: client) }
      if client.isStalled { client.disconnect() }
    }
    for (task, output) in before where poll.canRead(output) { _ = task.read() }
    removeEnded()
    if poll.canRead(door) && hasRoom { accept() }
    if !clients.isEmpty || !left.isEmpty { lastUse = Clock.milliseconds }
  }

  /// Sends what the client's task has to say.
  private mutating func relay(to client: DoorClient) {
    guard let task = client.task else { return }
    for reply in task.read() {
      client.send(reply)
      // The last one: the rest is carried out without a listener.
      if !reply.continues { client.task = nil }
    }
    if client.task == nil { left.append(task) }
  }

  private mutating func removeEnded() {
    for client in clients where client.isGone {
      guard let task = client.task else { continue }
      task.leave()
      left.append(task)
    }
    clients.removeAll { $0.isGone }
    left.removeAll { $0.hasEnded }
  }

  private mutating func accept() {
    guard let connection = listener.accept() else { return }
    if clients.count >= Door.mostClients {
      // The client that has been idle longest makes room.
      guard
        let oldest = clients.indices.filter({ clients[$0].isIdle })
          .min(by: { clients[$0].lastTransfer < clients[$1].lastTransfer })
      else { return }
      clients.remove(at: oldest)
    }
    clients.append(DoorClient(connection, access: DoorAccess(connection.peer, group: group)))
  }

  // MARK: - Calls

  private mutating func answer(_ message: [UInt8], of client: DoorClient) {
    guard let call = VarlinkCall(message) else {
      // What follows cannot be told apart from this.
      client.disconnect()
      return
    }
    if let reply = begin(call, of: client), !call.isOneway { client.send(reply) }
  }

  /// Begins what a call asks for; the reply if that is not begun, or done already.
  private mutating func begin(_ call: VarlinkCall, of client: DoorClient) -> VarlinkReply? {
    if call.interface.utf8.elementsEqual(VarlinkService.name.utf8) {
      return MapInterface.service.reply(to: call)
    }
    guard call.interface.utf8.elementsEqual(MapInterface.name.utf8) else {
      return .interfaceNotFound(call.interface)
    }
    guard let method = MapMethod(call.name) else { return .methodNotFound(call.method) }
    guard client.access.permits(method) else { return .permissionDenied }
    if method.kind == .stream && !call.wantsMore { return .expectedMore }
    guard hasRoom(for: method.kind) else { return .error("\(MapInterface.name).TooBusy", "{}") }
    do throws(MapMethod.InvalidParameter) {
      return begin(method, try method.words(call.parameters), of: client, call)
    } catch { return .invalidParameter(error.name) }
  }

  /// Whether another process may be started; those who watch, which is without end, leave room for questions.
  private func hasRoom(for kind: MapMethod.Kind) -> Bool {
    let all = clients.compactMap { $0.task } + left
    return all.count { ($0.kind == .stream) == (kind == .stream) } < Door.mostTasks
  }

  private mutating func begin(
    _ method: MapMethod, _ words: [String], of client: DoorClient, _ call: VarlinkCall
  ) -> VarlinkReply? {
    guard let worker = starter.start(method, words) else {
      return .error("\(MapInterface.name).TooBusy", "{}")
    }
    let task = DoorTask(method, worker, wantsMore: call.wantsMore)
    if call.isOneway {
      task.leave()
      left.append(task)
    } else {
      client.task = task
    }
    return nil
  }

  /// Each has a descriptor and at most a message and what waits for it; more than one process each is another limit.
  private static var mostClients: Int { 32 }
  /// Processes at a time that watch, and others: each may take the memory that a device has for one.
  static var mostTasks: Int { 8 }
  /// How long a service that can be started again waits for more to do, in milliseconds.
  private static var idleTime: UInt64 { 30_000 }
}

extension DoorClient {
  /// What its task says has to wait; that of a change never does, since nobody may delay one.
  fileprivate var isThrottled: Bool {
    guard let task, task.kind == .question || task.kind == .stream else { return false }
    return !keepsUp
  }
}

extension VarlinkReply {
  fileprivate var continues: Bool {
    if case .parameters(_, continues: true) = self { true } else { false }
  }
}
