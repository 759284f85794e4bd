/// What a run has taken, to stand beside what its plan said.
package struct RunFigures: Equatable {
  /// Bytes of components that came over the network.
  package internal(set) var fetched: UInt64 = 0
  /// Bytes of the indexes that were made.
  package internal(set) var indexed: UInt64 = 0
  private var atStart: UInt64?
  private var least: UInt64 = .max

  /// Bytes that the file system had less at the worst of the moments that were looked at than at the start.
  ///
  /// Whatever other programs wrote meanwhile is in it.
  package var peakDisk: UInt64 { atStart.map { $0 - min(least, $0) } ?? 0 }

  /// Takes note of what the file system has to give now; a plan's arithmetic begins at the first time.
  mutating func sample(_ available: UInt64) {
    if atStart == nil { atStart = available }
    least = min(least, available)
  }
}
