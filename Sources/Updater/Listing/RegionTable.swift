internal import Platform

/// What is known of a region before it is shown.
struct RegionSums {
  var sums = NodeSums()
  /// Nodes of the view directly below it.
  var children: UInt32 = 0
  /// Those of them that will be shown and were not yet.
  var remaining: UInt32 = 0
  var isShown = false
}

/// The sums of all regions, in the order in which they come.
///
/// Kept in pieces, which never move: an array that doubles would need the memory of three.
struct RegionTable {
  private var pieces: [[RegionSums]] = []
  private(set) var count = 0
  private let limit: Int
  private static var piece: Int { 256 }

  /// - Parameter budget: bytes that the process may use, of which two catalogs are unpacked beside this.
  init(budget: UInt64) {
    let taken = Limits.ownMemory + 2 * (1 << 20)
    let fitting = (budget - min(budget, taken)) / UInt64(MemoryLayout<RegionSums>.stride)
    limit = Int(min(max(fitting, UInt64(Limits.fewestRegions)), UInt64(Limits.regions)))
  }

  /// Adds a region; its index.
  mutating func add() throws(UpdateError) -> Int {
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

/// The listed regions around the package that a walk is at, the outermost first.
struct RegionPath {
  private var id: [UInt8] = []
  private(set) var open: [Entry] = []

  /// A region that has begun and not ended.
  struct Entry {
    /// Bytes of its id.
    let length: Int
    let index: Int
    /// It is the last of its siblings.
    var isLast = false
  }

  /// Closes the regions that `next` is not in; where the regions to open begin is for `opening`.
  mutating func move(to next: String) {
    let next = Array(next.utf8)
    while let region = open.last, !isBelow(region, next) { open.removeLast() }
    id = next
  }

  /// The ids of the regions around the package that are not open, the outermost first.
  var opening: [String] {
    let start = open.last?.length ?? 0
    var regions: [String] = []
    for cut in id.indices where id[cut] == UInt8(ascii: "/") && cut > start {
      regions.append(String(decoding: id[..<cut], as: UTF8.self))
    }
    return regions
  }

  mutating func push(_ region: String, index: Int, isLast: Bool = false) {
    open.append(Entry(length: region.utf8.count, index: index, isLast: isLast))
  }

  private func isBelow(_ region: Entry, _ next: [UInt8]) -> Bool {
    next.count > region.length && next[region.length] == UInt8(ascii: "/")
      && next[..<region.length].elementsEqual(id[..<region.length])
  }
}
