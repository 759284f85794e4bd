internal import Platform
internal import Varlink

/// A connected client: what it sends, and what waits to be sent to it.
final class DoorClient {
  private let connection: LocalConnection
  let access: DoorAccess
  private var inbox = VarlinkInbox()
  private var outbox: [UInt8] = []
  /// What it has called, and not had the last reply of.
  var task: DoorTask?
  private(set) var isGone = false
  /// When it last sent or took anything, in milliseconds.
  private(set) var lastTransfer = Clock.milliseconds

  init(_ connection: LocalConnection, access: DoorAccess) {
    self.connection = connection
    self.access = access
  }

  /// For `Poll`.
  var raw: CInt { connection.raw }

  var wish: Poll.Wish { Poll.Wish(reading: inbox.room > 0, writing: !outbox.isEmpty) }

  /// It takes what its task says as fast as that is said.
  var keepsUp: Bool { outbox.count < VarlinkLimits.waiting / 2 }

  /// It neither waits for anything nor has anything to take.
  var isIdle: Bool { task == nil && outbox.isEmpty }

  /// Reads what it has sent.
  func receive() {
    let room = inbox.room
    guard room > 0 else { return }
    switch inbox.fill({ [connection] in connection.receive(into: &$0, upTo: room) }) {
    case .bytes: lastTransfer = Clock.milliseconds
    case .later: break
    case .closed: isGone = true
    }
    if inbox.isOverfull { isGone = true }
  }

  /// The next message, once the one before is answered: replies come in the order of calls.
  func nextMessage() -> [UInt8]? { task == nil ? inbox.next() : nil }

  /// One that lets more wait than may is gone, so that nobody waits for it.
  func send(_ reply: VarlinkReply) {
    if outbox.isEmpty { lastTransfer = Clock.milliseconds }
    outbox += reply.bytes
    flush()
    if outbox.count > 2 * VarlinkLimits.waiting { isGone = true }
  }

  /// Sends what it takes.
  func flush() {
    while !outbox.isEmpty && !isGone {
      switch connection.send(outbox[...]) {
      case .bytes(let count):
        outbox.removeFirst(count)
        lastTransfer = Clock.milliseconds
      case .later: return
      case .closed: isGone = true
      }
    }
    // What was needed once is not kept.
    if outbox.isEmpty { outbox = [] }
  }

  /// It does not take what waits for it.
  var isStalled: Bool { !outbox.isEmpty && Clock.milliseconds > lastTransfer + DoorClient.patience }

  func disconnect() { isGone = true }

  /// How long a client may take nothing, in milliseconds.
  private static var patience: UInt64 { 30_000 }
}
