internal import Platform

/// The rules for names that become paths on a device.
package enum Identifier {
  /// Both are the same bytes, as for a file system: Swift's `==` also takes "é" in one scalar for "é" in two.
  @inline(never)
  package static func isSame(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count && sharedCount(a, b) == a.utf8.count
  }

  /// `a` comes before `b` in the order of bytes.
  @inline(never)
  package static func isBefore(_ a: String, _ b: String) -> Bool {
    let shared = sharedCount(a, b)
    let a = a.utf8.span
    let b = b.utf8.span
    if shared == b.count { return false }
    return shared == a.count || a[shared] < b[shared]
  }

  /// The count of bytes with which both begin.
  @inline(never)
  package static func sharedCount(_ a: String, _ b: String) -> Int {
    let a = a.utf8.span
    let b = b.utf8.span
    let limit = min(a.count, b.count)
    var count = 0
    while count < limit, a[count] == b[count] { count += 1 }
    return count
  }

  /// A release label: one part, so that it reads well in a sentence and a log.
  package static func isLabel(_ label: String) -> Bool { label.utf8.count <= 64 && isPath(label, parts: 1) }

  /// A path relative to the repository, as a catalog names its payloads.
  package static func isRelativePath(_ path: String) -> Bool {
    path.utf8.count <= 256 && isPath(path) { $0 != UInt8(ascii: ":") }
  }

  /// A path of a component's file, whose parts may have spaces.
  static func isFilePath(_ path: String) -> Bool {
    guard path.utf8.count <= ComponentPath.maximumSize, !path.unicodeScalars.contains(where: { $0.isControl })
    else { return false }
    let parts = path.parts(separatedBy: "/")
    return parts.count <= ComponentPath.maximumDepth
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.count <= ComponentPath.maximumPart
          && part.utf8.first != UInt8(ascii: ".")
          && part.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\\") }
      }
  }

  /// At most `limit` parts between slashes, none of which is empty, begins with a dot, or has an impossible byte.
  ///
  /// Names are printed as well: what would steer a terminal or turn the text around it is in none of them.
  static func isPath(
    _ path: String, parts limit: Int = .max, where isAllowed: (UInt8) -> Bool = { _ in true }
  ) -> Bool {
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
