internal import MapModel
internal import Platform
internal import Store

/// Looks at the queue for the operation that is being carried out.
struct QueueMonitor: ~Copyable {
  private let queue: OperationQueue
  private let queued: QueuedOperation
  private let skipped: [UInt64]

  /// `skipped`: operations that this run does not try again, and that preempt nothing.
  init(_ root: String, for queued: QueuedOperation, skipping skipped: [UInt64]) throws(Failure) {
    queue = try OperationQueue(making: root)
    self.queued = queued
    self.skipped = skipped
  }

  /// Finds out whether the current operation is to stop; changes nothing, and waits for nobody.
  ///
  /// A queue that cannot be read gives no reason.
  func pollStopReason() -> StopReason? {
    do throws(Failure) {
      if let ids = try queue.cancellation(of: queued.number) {
        return queued.operation.without(ids) == nil ? .cancelled : .narrowed
      }
      guard !queued.operation.isManual else { return nil }
      let manual = try queue.operations().first {
        $0.operation.isManual && !skipped.contains($0.number)
      }
      return manual.map { .preempted(by: $0.number) }
    } catch { return nil }
  }

  /// Cancels waiting operations as requested, which takes the lock of the queue.
  ///
  /// What cannot be cancelled now is cancelled next time.
  func cancelWaitingOperations() {
    do throws(Failure) { _ = try queue.cancelWaitingOperations(except: queued.number) } catch {}
  }
}
