package import MapModel

/// An operation in the queue.
package struct QueuedOperation: Equatable {
  package let number: UInt64
  package let operation: Operation
}
