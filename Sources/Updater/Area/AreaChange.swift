package import MapModel
package import Platform

/// What comes and goes because of the place of the device.
package struct AreaChange {
  /// The release that it is of: the installed one, or else the newest.
  let target: CatalogedRelease
  /// Metres around the device within which packages are to be: fewer than `area_radius` if those do not fit.
  package let radius: UInt64
  package internal(set) var coming: [PackageID] = []
  /// In the order in which they are needed least.
  package internal(set) var going: [PackageID] = []
  /// Bytes on the wire.
  package internal(set) var download: UInt64 = 0
  /// Bytes of space that it lacks; nil if none, or if more would not help.
  var shortage: UInt64?
  /// Some go although they would be kept for longer, and the generation before with them: others have no room.
  package internal(set) var makesRoom = false

  package var isEmpty: Bool { coming.isEmpty && going.isEmpty }

  package var sentence: String {
    var parts: [String] = []
    if !coming.isEmpty {
      parts.append(
        "\(AreaChange.count(coming, "come", "comes")) (\(ByteCount(download).text)): \(coming.firstOnes)")
    }
    if !going.isEmpty {
      parts.append(
        "\(AreaChange.count(going, "go", "goes"))\(makesRoom ? " to make room" : ""): \(going.firstOnes)")
    }
    return parts.joined(by: "; ")
  }

  private static func count(_ ids: [PackageID], _ many: String, _ one: String) -> String {
    ids.count == 1 ? "1 package \(one)" : "\(ids.count) packages \(many)"
  }

  /// The members of an event (`docs/events.md`).
  package func write(to json: inout JSON) {
    json.add("radius", radius)
    json.add("coming", coming)
    json.add("going", going)
    json.add("download", download)
    json.add("makesRoom", makesRoom)
  }
}

extension [PackageID] {
  /// Such as "europe/malta, europe/latvia", and how many more there are.
  package var firstOnes: String {
    prefix(3).map { $0.text }.listed + (count > 3 ? " and \(count - 3) more" : "")
  }
}
