internal import Platform

/// The sums of all regions, in the order of the listing.
///
/// Kept in pieces that never move: an array that doubles needs three times its memory while it grows.
struct RegionTable {
  private var pieces: [[RegionSums]] = []
  private(set) var count = 0
  private let limit: Int
  private static var piece: Int { 256 }

  /// - `memory`: bytes for the table and for two open catalogs.
  init(memory: UInt64) {
    let left = memory - min(memory, MapTreeLimits.openCatalogs)
    let fitting = left / UInt64(MemoryLayout<RegionSums>.stride)
    limit = Int(min(max(fitting, UInt64(MapTreeLimits.fewestRegions)), UInt64(MapTreeLimits.regions)))
  }

  /// Adds a region and returns its index.
  mutating func add() throws(Failure) -> Int {
    guard count < limit else { throw .tooManyRegions(limit: limit) }
    if count % RegionTable.piece == 0 {
      var piece: [RegionSums] = []
      piece.reserveCapacity(RegionTable.piece)
      pieces.append(piece)
    }
    pieces[count / RegionTable.piece].append(RegionSums())
    count += 1
    return count - 1
  }

  /// The caller got `index` from `add`.
  subscript(_ index: Int) -> RegionSums {
    get { pieces[index / RegionTable.piece][index % RegionTable.piece] }
    _modify { yield &pieces[index / RegionTable.piece][index % RegionTable.piece] }
  }
}
