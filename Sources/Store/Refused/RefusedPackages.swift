package import MapModel
package import Platform

/// The packages that a server does not give to this device: the file `refused` (`docs/format/store.md`, Refused).
///
/// Only for who asks what is going on: each run asks the server again.
package struct RefusedPackages: Equatable {
  package struct Refusal: Equatable {
    package let id: PackageID
    /// When the server said so first, in seconds since 1970.
    package let since: Int64
    /// Such as "the server answers 403".
    package let cause: String

    package init(id: PackageID, since: Int64, cause: String) {
      (self.id, self.since, self.cause) = (id, since, cause)
    }
  }

  /// In the order of their ids.
  package private(set) var all: [Refusal] = []

  package init() {}

  static var fileName: String { "refused" }

  package subscript(id: PackageID) -> Refusal? { all.first { $0.id == id } }

  /// Notes a refusal; one that is known keeps its time.
  package mutating func add(_ refusal: Refusal) {
    let place = all.partitionPoint { $0.id < refusal.id }
    if place < all.count, all[place].id == refusal.id {
      all[place] = Refusal(id: refusal.id, since: all[place].since, cause: refusal.cause)
    } else if all.count < StoreLimits.refusedPackages {
      all.insert(refusal, at: place)
    }
  }

  /// Forgets what is not `kept`.
  package mutating func keep(where kept: (PackageID) -> Bool) { all.removeAll { !kept($0.id) } }
}

// The file.
extension RefusedPackages {
  private static var format: String { "tinyupdater-refused 1" }

  /// None where the file is missing or damaged.
  init(in root: borrowing Directory) throws(Failure) {
    let lines = try SealedText.read(
      RefusedPackages.fileName, in: root, format: RefusedPackages.format, limit: StoreLimits.refusedFile)
    for words in lines ?? [] {
      guard words.count > 3, words[0] == "refused", let id = PackageID(words[2]),
        let since = UInt64(ascii: words[1].utf8)
      else { continue }
      let cause = Array(words[3...]).joined(by: " ")
      add(Refusal(id: id, since: Int64(clamping: since), cause: cause))
    }
  }

  func bytes() throws(Failure) -> [UInt8] {
    var text = "\(RefusedPackages.format)\n"
    for refusal in all { text += "refused \(max(0, refusal.since)) \(refusal.id) \(refusal.cause)\n" }
    return try SealedText.seal(text)
  }
}

extension Store {
  /// The packages that a server does not give to this device; none where that is not known.
  package func refusedPackages() throws(Failure) -> RefusedPackages { try RefusedPackages(in: root) }
}

extension LockedStore {
  /// Changes what is known of refused packages; writes nothing if nothing changes.
  package func changeRefusedPackages(_ body: (inout RefusedPackages) -> Void) throws(Failure) {
    let old = try reading.refusedPackages()
    var new = old
    body(&new)
    if new == old { return }
    if new == RefusedPackages() {
      try reading.root.remove(RefusedPackages.fileName)
    } else {
      try replace(RefusedPackages.fileName, with: try new.bytes())
    }
  }
}
