/// An operation of the queue, as it was when it was reported.
public struct MapOperation: Sendable, Identifiable {
  /// Its number in the queue.
  public let id: UInt64
  /// What it does.
  public let command: Command
  /// Packages and regions that it is about; none: all that are installed.
  public let ids: [String]
  /// A user has asked for it.
  public let isManual: Bool
  /// How far it is.
  public let state: State
  /// How it failed, or why it waits.
  public let error: MapError?

  /// What an operation does.
  public enum Command: String, Sendable {
    case update = "apply"
    case install, uninstall, repair
  }

  /// How far an operation is.
  public enum State: String, Sendable { case queued, running, waiting, cancelled, done, failed }

  init(_ content: EventContent, state: State? = nil) {
    id = content.number("operation")
    command = Command(rawValue: content.text("command")) ?? .update
    ids = content.texts("ids")
    isManual = content.flag("manual")
    self.state = state ?? State(rawValue: content.text("state")) ?? .running
    error = content.textIfAny("result") == nil || content.result == .success ? nil : MapError(content)
  }
}

/// What an operation did.
public struct OperationOutcome: Sendable {
  /// The release before; nil if nothing was installed, or nothing changed.
  public let from: MapRelease?
  /// The release now; nil if nothing changed.
  public let to: MapRelease?
  /// Bytes that were downloaded.
  public let downloaded: UInt64

  init(_ result: EventContent) {
    from = result.release("from")
    to = result.release("to")
    downloaded = result.number("downloaded")
  }
}

/// How far the download of an operation is.
public struct MapProgress: Sendable {
  /// The number of the operation.
  public let operation: UInt64
  /// Bytes that are done, and in total.
  public let done: UInt64
  /// Bytes in total.
  public let total: UInt64
  /// The package in progress; nil if there is none.
  public let id: String?
  /// How many components wait.
  public let waiting: Int

  init(_ event: EventContent) {
    operation = event.number("operation")
    done = event.number("done")
    total = event.number("total")
    id = event.textIfAny("id")
    waiting = event.count("waiting")
  }
}

/// A component that has changed its state.
public struct MapComponent: Sendable {
  /// The number of the operation.
  public let operation: UInt64
  /// Its package.
  public let id: String
  /// Its data group.
  public let group: String
  /// Such as `downloading`, `staged` or `installed` (`docs/events.md`, component).
  public let state: String

  init(_ event: EventContent) {
    operation = event.number("operation")
    id = event.text("id")
    group = event.text("group")
    state = event.text("state")
  }
}
