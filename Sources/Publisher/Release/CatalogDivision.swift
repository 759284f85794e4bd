internal import Crypto
internal import MapModel

/// Where the documents of a large catalog begin and end (`docs/format/catalog.md`, Parts).
///
/// It depends on the ids and sizes near a boundary only, so that most parts of the next release have the same packages,
/// and the same bytes if nothing of them has changed.
enum CatalogDivision {
  /// Bytes of text of a catalog that is one document.
  ///
  /// Up to here, a further request takes a device about as long as the bytes.
  static let wholeSize = 128 << 10
  /// Bytes of text of a part; one that is larger has a single package.
  static let partSize = 32 << 10

  /// One or more consecutive packages that stay together.
  struct Unit {
    let first: PackageID
    let last: PackageID
    /// Bytes of its text.
    let size: Int
  }

  /// Divides units, in their order, into parts.
  ///
  /// A region that does not fit into a part has parts of its own. Apart from that, a part ends where the regions change
  /// most, and among equal places before the id with the smallest digest, but not before it has a quarter of its size.
  static func parts(of units: [Unit]) throws(HasherError) -> [Range<Int>] {
    let large = largeRegions(of: units)
    var parts: [Range<Int>] = []
    var start = 0
    while start < units.count {
      let end = try self.end(ofPartFrom: start, in: units, large: large)
      parts.append(start..<end)
      start = end
    }
    return parts
  }

  /// The regions that do not fit into a part.
  private static func largeRegions(of units: [Unit]) -> Set<PackageID> {
    var sizes: [PackageID: Int] = [:]
    for unit in units { for region in unit.regions { sizes[region, default: 0] += unit.size } }
    return Set(sizes.filter { $0.value > partSize }.keys)
  }

  private static func end(
    ofPartFrom start: Int, in units: [Unit], large: Set<PackageID>
  ) throws(HasherError) -> Int {
    var size = units[start].size
    var best: (regions: Int, digest: Digest, index: Int)?
    for index in units.indices[(start + 1)...] {
      let (regions, before) = (units[index].regions, units[index - 1].regions)
      if Set(regions).symmetricDifference(before).contains(where: large.contains) { return index }
      let isFull = size + units[index].size > partSize
      if isFull || size >= partSize / 4 {
        let digest = try Hasher.digest(of: Array(units[index].first.text.utf8).span.bytes)
        let found = (regions.count { before.contains($0) }, digest, index)
        if best.map({ found < $0 }) ?? true { best = found }
      }
      if isFull { return best?.index ?? index }
      size += units[index].size
    }
    return units.count
  }
}

extension CatalogDivision.Unit {
  /// The regions above all of it.
  fileprivate var regions: [PackageID] { first.regions(sharedWith: last) }
}
