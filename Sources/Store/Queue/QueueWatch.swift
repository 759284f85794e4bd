internal import Platform

/// Says when it is worth to look at the queue: it costs no access to a file system while nothing changes there.
package struct QueueWatch: ~Copyable {
  private var watch: DirectoryWatch?
  /// When the next look is due if the kernel cannot watch, by `Clock.milliseconds`.
  private var nextLook: UInt64 = 0

  package init(_ queue: borrowing OperationQueue) { watch = DirectoryWatch(queue.directory) }

  /// Another process may have added an operation or a cancellation since the last call.
  ///
  /// Where the kernel cannot watch, that is assumed once a second.
  package mutating func hasNews() -> Bool {
    if let isChanged = watch?.hasChanges(except: OperationQueue.isOfActive) { return isChanged }
    let now = Clock.milliseconds
    guard now >= nextLook else { return false }
    nextLook = now + 1000
    return true
  }
}
