internal import MapModel
internal import Platform
internal import Store

/// Looks at the queue for the operation that is being carried out, each time that something has changed there.
struct QueueMonitor: ~Copyable {
  private let queue: OperationQueue
  private let queued: QueuedOperation
  private let skipped: [UInt64]
  private let automatic: AutomaticSettings
  /// When the next look at what is in the way of an automatic operation is due, by `Clock.milliseconds`.
  private var nextLook: UInt64 = 0
  private var watch: QueueWatch
  /// The queue may give a reason to stop that no look has found.
  private var mayStop = true
  /// The cancellation of waiting operations may be requested.
  private var mayCancel = true

  /// `skipped`: operations that this run does not try again, and that preempt nothing.
  init(
    _ root: String, for queued: QueuedOperation, skipping skipped: [UInt64], _ automatic: AutomaticSettings
  ) throws(Failure) {
    queue = try OperationQueue(making: root)
    // Before the first look, so that nothing comes between them.
    watch = QueueWatch(queue)
    self.queued = queued
    self.skipped = skipped
    self.automatic = automatic
  }

  /// Finds out whether the current operation is to stop; changes nothing, and waits for nobody.
  ///
  /// A queue that cannot be read gives no reason, and is read again next time.
  ///
  /// - Returns: nil if no reason came up since the last look.
  mutating func pollStopReason() -> StopReason? {
    noteNews()
    if let obstacle = findObstacle() { return .postponed(obstacle) }
    guard mayStop else { return nil }
    do throws(Failure) {
      let reason = try findStopReason()
      mayStop = false
      return reason
    } catch { return nil }
  }

  /// What has come in the way of an automatic operation; looked for every two seconds.
  private mutating func findObstacle() -> Obstacle? {
    let now = Clock.milliseconds
    guard now >= nextLook else { return nil }
    nextLook = now + 2000
    return automatic.obstacle(to: queued.operation)
  }

  private func findStopReason() throws(Failure) -> StopReason? {
    if let ids = try queue.cancellation(of: queued.number) {
      return queued.operation.without(ids) == nil ? .cancelled : .narrowed
    }
    guard !queued.operation.isManual else { return nil }
    let manual = try queue.operations().first {
      $0.operation.isManual && !skipped.contains($0.number)
    }
    return manual.map { .preempted(by: $0.number) }
  }

  /// Cancels waiting operations as requested, which takes the lock of the queue.
  ///
  /// What cannot be cancelled now is cancelled next time.
  mutating func cancelWaitingOperations() {
    noteNews()
    guard mayCancel else { return }
    do throws(Failure) {
      _ = try queue.cancelWaitingOperations(except: queued.number)
      mayCancel = false
    } catch {}
  }

  private mutating func noteNews() {
    if watch.hasNews() { (mayStop, mayCancel) = (true, true) }
  }
}
