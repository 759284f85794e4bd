internal import MapModel
internal import Platform
internal import Updater

/// A command that puts an operation on packages and regions into the queue: `apply`, `install`, `uninstall` and
/// `repair`.
struct QueuedCommand: StoreCommand {
  private let operation: Operation
  private let whenBusy: WhenBusy

  /// - `operation`: what the command does with the ids.
  init(_ invocation: Invocation, _ operation: ([PackageID]) -> Operation) throws(UsageError) {
    self.operation = operation(try invocation.takeIDs())
    whenBusy = WhenBusy(invocation)
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    try QueueRunner(session).run(operation, whenBusy: whenBusy)
  }
}
