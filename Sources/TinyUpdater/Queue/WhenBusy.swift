/// What a command does while another process works on the queue.
enum WhenBusy: Equatable {
  /// It waits for the result of its operation and shows the progress.
  case wait
  /// It leaves its operation to the other process.
  case leave

  /// By the option `--no-wait`.
  init(_ invocation: Invocation) { self = invocation.has(.noWait) ? .leave : .wait }
}
