internal import MapService
internal import Platform

/// How something failed.
public struct MapError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public let result: MapResultCode
  /// A sentence for people.
  public let message: String
  /// Without enough space: bytes that are needed, and that may be used, where they are known.
  public internal(set) var needed: UInt64?
  /// Without enough space: bytes that may be used.
  public internal(set) var available: UInt64?

  init(_ result: MapResultCode, _ message: String) {
    self.result = result
    self.message = message
  }

  init(_ failure: Failure) {
    self.init(MapResultCode(.code(failure.result)), failure.sentence)
  }

  init(_ refusal: MapRefusal) { self.init(MapResultCode(.code(refusal.result)), refusal.sentence) }

  /// The last event of a request that failed.
  init(_ event: EventContent) {
    self.init(event.result, event.text("message"))
    needed = event.numberIfAny("needed")
    available = event.numberIfAny("available")
  }

  static var unread: MapError {
    MapError(.busy, "more changes were left unread than are kept; begin to read them again")
  }

  static var cancelled: MapError { MapError(.operationCancelled, "the task was cancelled") }

  /// Result and sentence.
  public var description: String { message.isEmpty ? result.name : "\(result.name): \(message)" }
}

/// How a request ended: the exit codes of `tinyupdater` (`docs/exit-codes.md`), and one that only its clients have.
public enum MapResultCode: Int, Sendable, CaseIterable {
  /// Done, or nothing to do.
  case success = 0
  /// The repository has a newer release.
  case updateAvailable = 10
  /// The newest release needs a newer application.
  case applicationTooOld = 11
  /// Maps are missing: an update in place is not finished, or has left some out.
  case incomplete = 12
  /// The newest release takes installed packages away, and nobody has asked for it.
  case withheld = 13
  /// The installed maps are not to be used any more.
  case expired = 14
  /// No connection, a broken one, or a refusing server.
  case connectionFailed = 20
  /// The data is not what the publisher signed.
  case rejected = 21
  /// Not enough space.
  case outOfSpace = 22
  /// Not enough memory.
  case overBudget = 23
  /// A file could not be read or written, or is damaged.
  case storageFailed = 24
  /// Another process changes the same store, or too much is asked at once.
  case busy = 25
  /// Cancelled by a user, or stopped by a shutdown.
  case operationCancelled = 26
  /// A wrong id, data group or place.
  case invalidParameters = 64
  /// This user may not ask for it.
  case permissionDenied = 77
  /// The configuration, the store or the program is not usable.
  case initializationFailed = 78

  /// The name in events, such as `OutOfSpace`.
  public var name: String { MapResult(exit: Int64(rawValue)).name }

  init(_ result: MapResult) { self = MapResultCode(rawValue: Int(result.exit)) ?? .storageFailed }
}
