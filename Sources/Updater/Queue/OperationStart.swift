internal import Store

/// An operation that has begun: what its report counts from.
struct OperationStart {
  /// "apply", "install", "uninstall", "repair", "rollback" or "activate".
  let command: String
  /// Nil if it is carried out without the queue.
  let operation: QueuedOperation?
  /// When it began, by `Clock.milliseconds`.
  let milliseconds: UInt64
  /// Bytes that the process had downloaded before.
  let downloaded: UInt64
}
