package import MapModel
internal import Platform

/// Why packages are there that nobody has asked for: the file `area/packages` (`docs/format/store.md`, Area).
///
/// What it does not name was asked for, and stays. So it names a package before that is installed, and no longer names it
/// before somebody who asks for it gets it: power loss leaves nothing that could be removed by mistake.
package struct AreaRecord: Equatable {
  /// A package that came because the device was near it.
  package struct Arrival: Equatable {
    package let id: PackageID
    /// When it came, and when the device was near it last; in seconds since 1970.
    package let since: Int64
    package internal(set) var needed: Int64
  }

  /// A package or region that a user has uninstalled: it does not come again for some time.
  package struct Refusal: Equatable {
    package let id: PackageID
    /// In seconds since 1970.
    package let time: Int64
  }

  /// In the order of their ids.
  package private(set) var arrivals: [Arrival] = []
  /// The last one comes last.
  package private(set) var refusals: [Refusal] = []
  /// The places that the device has left until then are looked at; in seconds since 1970.
  package var looked: Int64 = 0

  package init() {}

  static var fileName: String { "area/packages" }

  /// Nil if the package was asked for.
  package subscript(id: PackageID) -> Arrival? {
    let place = arrivals.partitionPoint { $0.id < id }
    return place < arrivals.count && arrivals[place].id == id ? arrivals[place] : nil
  }

  /// A user does not want the package here.
  package func isRefused(_ id: PackageID) -> Bool { refusals.contains { $0.id.contains(id) } }

  /// Notes that packages come at `time`; those that do not fit count as asked for.
  package mutating func add(_ ids: [PackageID], at time: Int64) {
    for id in ids where self[id] == nil && arrivals.count < StoreLimits.arrivals {
      let place = arrivals.partitionPoint { $0.id < id }
      arrivals.insert(Arrival(id: id, since: max(0, time), needed: max(0, time)), at: place)
    }
  }

  /// Notes that the device was near a package at `time`.
  package mutating func need(_ id: PackageID, at time: Int64) {
    let place = arrivals.partitionPoint { $0.id < id }
    guard place < arrivals.count, arrivals[place].id == id else { return }
    arrivals[place].needed = max(arrivals[place].needed, time)
  }

  /// Forgets the packages that are not `kept`.
  package mutating func keep(where kept: (Arrival) -> Bool) { arrivals.removeAll { !kept($0) } }

  /// A user wants these packages, or all packages of these regions.
  package mutating func claim(_ ids: [PackageID]) {
    arrivals.removeAll { ids.includes($0.id) }
    refusals.removeAll { ids.includes($0.id) }
  }

  /// A user has uninstalled these packages, or all packages of these regions.
  package mutating func refuse(_ ids: [PackageID], at time: Int64) {
    arrivals.removeAll { ids.includes($0.id) }
    refusals.removeAll { ids.includes($0.id) }
    for id in ids { refusals.append(Refusal(id: id, time: max(0, time))) }
    if refusals.count > StoreLimits.refusals { refusals.removeFirst(refusals.count - StoreLimits.refusals) }
  }

  /// Forgets what was refused before `time`.
  package mutating func forgetRefusals(before time: Int64) { refusals.removeAll { $0.time < time } }
}

// The file.
extension AreaRecord {
  private static var format: String { "tinyupdater-area 1" }

  /// Nil where the file is missing or damaged.
  init?(in root: borrowing Directory) throws(Failure) {
    guard
      let lines = try SealedText.readable(
        AreaRecord.fileName, in: root, format: AreaRecord.format, limit: StoreLimits.areaFile)
    else { return nil }
    self.init(lines)
  }

  func bytes() throws(Failure) -> [UInt8] {
    var text = "\(AreaRecord.format)\nlooked \(max(0, looked))\n"
    for arrival in arrivals { text += "near \(arrival.since) \(arrival.needed) \(arrival.id)\n" }
    for refusal in refusals { text += "refused \(refusal.time) \(refusal.id)\n" }
    return try SealedText.seal(text)
  }

  /// Nil if they are not of the format.
  private init?(_ lines: [[String]]) {
    guard let first = lines.first, first.count == 2, first[0] == "looked",
      let looked = UInt64(ascii: first[1].utf8)
    else { return nil }
    self.looked = Int64(clamping: looked)
    for words in lines.dropFirst() {
      let times = words.dropFirst().dropLast().map { UInt64(ascii: $0.utf8).map { Int64(clamping: $0) } }
      guard let id = words.last.flatMap({ PackageID($0) }) else { return nil }
      switch (words[0], times.count) {
      case ("near", 2):
        guard let since = times[0], let needed = times[1], arrivals.last.map({ $0.id < id }) ?? true else {
          return nil
        }
        arrivals.append(Arrival(id: id, since: since, needed: needed))
      case ("refused", 1):
        guard let time = times[0] else { return nil }
        refusals.append(Refusal(id: id, time: time))
      default: return nil
      }
    }
    guard arrivals.count <= StoreLimits.arrivals, refusals.count <= StoreLimits.refusals else { return nil }
  }
}
