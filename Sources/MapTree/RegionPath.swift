/// The listed regions that contain the current package of a walk, outermost first.
struct RegionPath {
  private var id: [UInt8] = []
  private(set) var open: [Entry] = []

  /// A region whose packages are being listed.
  struct Entry {
    /// Bytes of the id.
    let length: Int
    let index: Int
    /// The region is the last of its siblings.
    var isLast = false
  }

  /// Closes the regions that do not contain `next`.
  mutating func move(to next: String) {
    let next = Array(next.utf8)
    while let region = open.last, !isBelow(region, next) { open.removeLast() }
    id = next
  }

  /// The regions that contain the package and are not open yet, outermost first.
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
