internal import Crypto
package import Platform

/// Where each file of an archive begins, so that they can be read in any order.
///
/// Of a name it keeps 64 bits of its SHA-256: who looks something up compares the name of what is there.
package struct ArchiveIndex {
  private struct Place {
    let key: UInt64
    let offset: UInt64
  }

  private var places: [Place] = []

  /// Reads all headers of an archive from where `reader` is.
  ///
  /// - `shouldStop`: asked before each of them.
  package init(_ reader: inout ArchiveReader, shouldStop: () -> Bool = { false }) throws(Failure) {
    while let entry = try reader.next() {
      if shouldStop() { throw .cancelled }
      guard places.count < ArchiveLimits.files else { throw .tooManyFiles(reader.path) }
      places.append(Place(key: try ArchiveIndex.key(entry.name), offset: entry.offset))
    }
    places.sort { ($0.key, $0.offset) < ($1.key, $1.offset) }
    for index in places.indices.dropFirst() where places[index].key == places[index - 1].key {
      try reader.seek(to: places[index].offset)
      throw .badEntry(try reader.next()?.name ?? "", of: reader.path, .twice)
    }
  }

  /// Where the header of the file with this name begins; nil if there is none.
  package func offset(of name: String) throws(Failure) -> UInt64? {
    let key = try ArchiveIndex.key(name)
    let place = places.partitionPoint { $0.key < key }
    return place < places.count && places[place].key == key ? places[place].offset : nil
  }

  private static func key(_ name: String) throws(Failure) -> UInt64 {
    let bytes = [UInt8](name.utf8)
    let digest: Digest
    do throws(HasherError) { digest = try Hasher.digest(of: bytes.span.bytes) } catch { throw .noMemory }
    return (0..<8).reduce(0) { $0 << 8 | UInt64(digest.bytes[$1]) }
  }
}
