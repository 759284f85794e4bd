package import Catalog
package import Platform
internal import Store

/// Where the device is and was: the file `area/visits` (`docs/format/store.md`, Area).
///
/// It is written at most every ten minutes, and not as long as the device stays where it is: flash wears.
package struct VisitRecord: Equatable {
  package struct Visit: Equatable {
    package let place: Point
    /// When it began, in seconds since 1970; it ends when the next one begins.
    package let time: Int64
  }

  /// The last one is where the device is.
  package private(set) var visits: [Visit] = []

  private static var fileName: String { "visits" }
  private static var format: String { "tinyupdater-visits 1" }

  init() {}

  /// Notes where the device is; false if nothing was to be written.
  ///
  /// - `radius`: of the area around it, in metres.
  /// - `time`: in seconds since 1970, by a clock that may be wrong.
  package static func note(
    _ place: Point, radius: UInt64, at time: Int64, in root: String
  ) throws(Failure) -> Bool {
    var record = VisitRecord(shown: root)
    guard record.add(place, radius: radius, at: time) else { return false }
    try Store.openArea(root).replace(fileName, with: try record.bytes())
    return true
  }

  /// False if the device is where it was, or has told where it is not long ago.
  mutating func add(_ place: Point, radius: UInt64, at time: Int64) -> Bool {
    // A place within it has nearly the same area around it.
    let same = Double(radius) / 8
    let time = max(0, time)
    if let last = visits.last {
      guard place.isFar(from: last.place, metres: same) else { return false }
      // A clock that was set back says nothing.
      guard !(last.time..<last.time.saturatingSum(UpdateLimits.positionInterval)).contains(time) else {
        return false
      }
    }
    visits.removeAll { !place.isFar(from: $0.place, metres: same) }
    visits.append(Visit(place: place, time: time))
    if visits.count > UpdateLimits.visits { visits.removeFirst() }
    return true
  }

  // MARK: - The file

  /// The same; nothing where the file cannot be read, too.
  package init(shown root: String) {
    do throws(Failure) { self = try VisitRecord(in: root) } catch { self = VisitRecord() }
  }

  /// Nothing where the file is missing or damaged: the device says again where it is.
  init(in root: String) throws(Failure) {
    guard let area = try Store.lookAtArea(root),
      let lines = try SealedText.readable(
        VisitRecord.fileName, in: area, format: VisitRecord.format, limit: UpdateLimits.visitFile)
    else { return }
    for words in lines {
      guard words.count == 4, words[0] == "visit", let place = Point(words[1], words[2]),
        let time = UInt64(ascii: words[3].utf8), visits.count < UpdateLimits.visits
      else {
        visits = []
        return
      }
      visits.append(Visit(place: place, time: Int64(clamping: time)))
    }
  }

  private func bytes() throws(Failure) -> [UInt8] {
    var text = VisitRecord.format + "\n"
    for visit in visits { text += "visit \(visit.place.words) \(visit.time)\n" }
    return try SealedText.seal(text)
  }
}

extension Point {
  /// Nil unless they are a latitude and a longitude.
  init?(_ latitude: String, _ longitude: String) {
    guard let latitude = Degrees(latitude), let longitude = Degrees(longitude) else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  /// In degrees, the latitude first.
  package var words: String { "\(latitude.text) \(longitude.text)" }
}
