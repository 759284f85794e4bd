package import Catalog
package import Platform
internal import Store

/// Where the device is going: the file `area/route` (`docs/format/store.md`, Area).
package struct RouteRecord {
  let track: Track

  private static var fileName: String { "route" }
  private static var format: String { "tinyupdater-route 1" }

  /// Has a track take the place of the one before, or none; false if it is that already.
  package static func replace(with track: Track?, in root: String) throws(Failure) -> Bool {
    guard let track else {
      guard let area = try Store.lookAtArea(root), try area.status(of: fileName) != nil else { return false }
      try Store.openArea(root).remove(fileName)
      return true
    }
    let bytes = try RouteRecord(track).bytes()
    if isThere(bytes, in: root) { return false }
    try Store.openArea(root).replace(fileName, with: bytes)
    return true
  }

  /// The file has these bytes; one that cannot be read has not.
  private static func isThere(_ bytes: [UInt8], in root: String) -> Bool {
    do throws(Failure) { return try RouteRecord(in: root)?.bytes() == bytes } catch { return false }
  }

  private init(_ track: Track) { self.track = track }

  /// Nil where the file is missing or damaged.
  init?(in root: String) throws(Failure) {
    guard let area = try Store.lookAtArea(root),
      let lines = try SealedText.readable(
        RouteRecord.fileName, in: area, format: RouteRecord.format, limit: UpdateLimits.routeFile),
      let first = lines.first, first.count == 2, first[0] == "deviation",
      let deviation = UInt32(ascii: first[1].utf8)
    else { return nil }
    var points: [Point] = []
    for words in lines.dropFirst() {
      guard words.count == 3, words[0] == "point", let point = Point(words[1], words[2]),
        points.count <= Track.mostPoints
      else { return nil }
      points.append(point)
    }
    track = Track(points, deviation: Double(deviation))
  }

  private func bytes() throws(Failure) -> [UInt8] {
    // Metres, rounded up.
    let deviation = UInt32(min(track.deviation, 5_000_000).rounded(.up))
    var text = "\(RouteRecord.format)\ndeviation \(deviation)\n"
    for point in track.points { text += "point \(point.words)\n" }
    return try SealedText.seal(text)
  }
}
