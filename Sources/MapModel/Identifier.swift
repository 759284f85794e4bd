internal import Platform

/// The rules for names that become paths on a device.
///
/// Ids, data groups and labels are equal if their bytes are, as for a file system: Swift's `==` also takes "é" in one
/// scalar for "é" in two.
package enum Identifier {
  /// Both are the same bytes.
  package static func isSame(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }

  /// Both lists are the same names in the same order.
  package static func areSame(_ a: [String], _ b: [String]) -> Bool { a.elementsEqual(b, by: isSame) }

  /// An id of a package or region: parts between slashes that cannot leave their directory.
  package static func isPackage(_ id: String) -> Bool {
    id.utf8.count <= 200 && isPath(id, parts: 8) { _ in true }
  }

  /// `id` lies below the region `region`: in it, and not the region itself.
  package static func isRegion(_ region: String, above id: String) -> Bool {
    id.utf8.starts(with: region.utf8)
      && id.utf8.dropFirst(region.utf8.count).first == UInt8(ascii: "/")
  }

  /// `id` is the package or region `region`, or lies below it.
  package static func region(_ region: String, contains id: String) -> Bool {
    isSame(region, id) || isRegion(region, above: id)
  }

  /// One of `regions` contains `id`.
  package static func regions(_ regions: [String], contain id: String) -> Bool {
    regions.contains { region($0, contains: id) }
  }

  /// A data group: one part.
  package static func isDataGroup(_ name: String) -> Bool { name.utf8.count <= dataGroupSize && isPart(name) }

  /// Bytes of the name of a data group at most.
  package static var dataGroupSize: Int { 64 }

  /// A release label: one part, so that it reads well in a sentence and a log.
  package static func isLabel(_ label: String) -> Bool { label.utf8.count <= 64 && isPart(label) }

  /// A path relative to the repository, as a catalog names its payloads.
  package static func isRelativePath(_ path: String) -> Bool {
    path.utf8.count <= 256 && isPath(path) { $0 != UInt8(ascii: ":") }
  }

  private static func isPart(_ part: String) -> Bool { isPath(part, parts: 1) { _ in true } }

  /// At most `limit` parts between slashes, none of which is empty, begins with a dot, or has an impossible byte.
  ///
  /// Names are printed as well: what would steer a terminal or turn the text around it is in none of them.
  private static func isPath(_ path: String, parts limit: Int = .max, where isAllowed: (UInt8) -> Bool)
    -> Bool
  {
    guard !path.unicodeScalars.contains(where: { $0.isControl }) else { return false }
    var parts = 1
    var isAtStart = true
    for byte in path.utf8 {
      if byte == UInt8(ascii: "/") {
        parts += 1
        guard !isAtStart, parts <= limit else { return false }
        isAtStart = true
      } else {
        guard byte > 0x20, byte != 0x7f, byte != UInt8(ascii: "\\"), isAllowed(byte),
          !(isAtStart && byte == UInt8(ascii: "."))
        else { return false }
        isAtStart = false
      }
    }
    return !isAtStart
  }
}
