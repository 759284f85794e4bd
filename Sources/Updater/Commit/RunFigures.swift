package import MapModel

/// What a run was to take, and what it has taken.
package struct RunFigures: Equatable {
  /// Nil before there was one.
  package internal(set) var plan: Plan?
  /// What the server did not give to this device.
  package internal(set) var refused: [PackageID] = []
  /// Bytes of components that came over the network.
  package internal(set) var fetched: UInt64 = 0
  /// Bytes of the indexes that were made.
  package internal(set) var indexed: UInt64 = 0
  private var atStart: UInt64?
  private var least: UInt64 = .max

  /// Bytes by which the file system's free space fell below that at the start, at the worst moment that was sampled.
  ///
  /// What other programs wrote meanwhile is included.
  package var peakDisk: UInt64 { taken(least) }

  /// Bytes by which `available` is below the free space at the start.
  func taken(_ available: UInt64) -> UInt64 { atStart.map { $0 - min(available, $0) } ?? 0 }

  /// Notes the free space; a plan's arithmetic begins at the first time.
  mutating func sample(_ available: UInt64) {
    if atStart == nil { atStart = available }
    least = min(least, available)
  }
}
