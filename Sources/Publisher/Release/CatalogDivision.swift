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
  /// A part ends where the regions change most, and among equal places before the id with the smallest digest: but not
  /// before it has a quarter of its size.
  static func parts(of units: [Unit]) throws(HasherError) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = 0
    while start < units.count {
      let end = try self.end(ofPartFrom: start, in: units)
      parts.append(start..<end)
      start = end
    }
    return parts
  }

  private static func end(ofPartFrom start: Int, in units: [Unit]) throws(HasherError) -> Int {
    var size = units[start].size
    var best: (regions: Int, digest: Digest, index: Int)?
    for index in units.indices[(start + 1)...] {
      let isFull = size + units[index].size > partSize
      if isFull || size >= partSize / 4 {
        let id = units[index].first
        let digest = try Hasher.digest(of: Array(id.text.utf8).span.bytes)
        let found = (id.commonRegions(with: units[index - 1].last), digest, index)
        if best.map({ found < $0 }) ?? true { best = found }
      }
      if isFull { return best?.index ?? index }
      size += units[index].size
    }
    return units.count
  }
}

extension PackageID {
  /// How many regions are above both.
  fileprivate func commonRegions(with other: PackageID) -> Int {
    regions(below: nil).count { $0.isAbove(other) }
  }
}
