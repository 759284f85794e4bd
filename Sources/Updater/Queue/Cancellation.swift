/// What became of the operations whose cancellation was requested: their numbers.
package struct Cancellation: Equatable {
  /// Cancelled, in part or as a whole.
  package var cancelled: [UInt64] = []
  /// They ended before they could be cancelled.
  package var ended: [UInt64] = []
  /// The process that holds the store has not looked at it yet.
  package var pending: [UInt64] = []
}
