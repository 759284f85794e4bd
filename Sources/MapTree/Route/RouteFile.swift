package import Catalog
package import Platform

/// A file with a route: GeoJSON (RFC 7946) or GPX 1.0 and 1.1.
package enum RouteFile {
  /// Bytes of a file that is read.
  package static var largest: UInt64 { 64 << 20 }

  /// The line in a file, for a corridor of this width; its format is told by its first byte.
  ///
  /// Of GPX the tracks count, or without one the routes; lines are joined in their order.
  package static func track(_ path: String, for metres: UInt64) throws(Failure) -> Track {
    let file = try File(opening: path)
    guard try file.isRegular() else { throw .badRoute(path: path, "it is not a file") }
    let first = try file.bytes(upTo: 64).first { $0 > UInt8(ascii: " ") && $0 < 0x80 }
    try file.seek(to: 0)
    let track: Track?
    switch first {
    case UInt8(ascii: "{"): track = try geoJSON(file, path, for: metres)
    case UInt8(ascii: "<"): track = try gpx(consume file, path, for: metres)
    default: track = nil
    }
    guard let track else { throw .badRoute(path: path, "it is neither GeoJSON nor GPX") }
    guard !track.isEmpty else { throw .badRoute(path: path, "it has no line") }
    return track
  }

  private static func geoJSON(
    _ file: borrowing File, _ path: String, for metres: UInt64
  ) throws(Failure) -> Track? {
    var scanner = GeoJSONScanner(Track(for: metres))
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    var size: UInt64 = 0
    while true {
      var span = buffer.mutableSpan
      var bytes = span.mutableBytes
      let count = try file.read(into: &bytes)
      if count == 0 { break }
      size += UInt64(count)
      if StopSignal.isRaised { throw .cancelled }
      guard size <= largest else {
        throw .badRoute(path: path, "it has more than \(ByteCount(largest).text)")
      }
      for index in 0..<count { scanner.take(buffer[index]) }
      if scanner.isMalformed { return nil }
    }
    scanner.finish()
    return scanner.isComplete ? scanner.track : nil
  }

  private static func gpx(
    _ file: consuming File, _ path: String, for metres: UInt64
  ) throws(Failure) -> Track? {
    var (tracks, routes) = (Track(for: metres), Track(for: metres))
    do throws(CatalogError) {
      var reader = try XMLReader(FileSource(file), path: path, limit: largest)
      guard case .start(let root, _) = try reader.next(), root == "gpx" else { return nil }
      while !StopSignal.isRaised {
        switch try reader.next() {
        case .finish:
          tracks.finish()
          routes.finish()
          return tracks.isEmpty ? routes : tracks
        case .end: continue
        case .start(let name, let list):
          guard name == "trkpt" || name == "rtept" else { continue }
          let attributes = XMLAttributes(list, path: path, at: reader.position)
          guard let latitude = attributes.optional("lat").flatMap({ Coordinate.tenMillionths($0.utf8) }),
            let longitude = attributes.optional("lon").flatMap({ Coordinate.tenMillionths($0.utf8) }),
            let point = Coordinate.point(latitude: latitude, longitude: longitude)
          else { throw attributes.refused(.invalid(attribute: "lat")) }
          if name == "trkpt" { tracks.add(point) } else { routes.add(point) }
        }
      }
    } catch { throw .badRoute(path: path, error.sentence) }
    throw .cancelled
  }
}
