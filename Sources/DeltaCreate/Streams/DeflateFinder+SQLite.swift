internal import Codec

/// Streams in the blobs of SQLite databases: tiles of MBTiles and GeoPackages, for instance.
extension DeflateFinder {
  /// Searches all pages, in the order of the file.
  ///
  /// The tree of pages is not followed: each page says what it is, and a damaged one hides no others.
  mutating func search(_ database: SQLiteDatabase) throws(DeltaCreateError) {
    // In a sound database each page is in one chain at most.
    var budget = database.pageCount
    guard database.pageCount > 0 else { return }
    for page in 1...database.pageCount where !stops(at: database.start(ofPage: page)) {
      for payload in database.payloads(ofPage: page) {
        let blobs = database.blobs(of: payload).filter { $0.count >= DeflateLimits.minimumStream }
        guard !blobs.isEmpty, !stops(at: database.start(ofPage: page)) else { continue }
        guard let extents = database.extents(of: payload, budget: &budget) else { continue }
        for blob in blobs { try searchBlob(Extents(extents.part(blob), of: file)) }
      }
    }
  }

  /// Searches the front of a blob.
  private mutating func searchBlob(_ blob: Extents) throws(DeltaCreateError) {
    if let header = blob.gzipHeader() {
      _ = try take(blob.ranges, wrapper: .gzip, header: header)
    } else if blob.hasZlibHeader() {
      _ = try take(blob.ranges, wrapper: .zlib, header: 2)
    } else if let data = blob.pngData() {
      _ = try take(data, wrapper: .zlib, header: 2)
    }
  }
}
