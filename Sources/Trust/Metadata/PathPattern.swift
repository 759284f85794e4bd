/// A glob pattern over target paths (TUF 1.0, section 4.6).
///
/// `*` stands for any characters and `?` for one, neither ever for a slash; everything else, `[` too, stands
/// for itself. Letters differ by case, and nothing is normalized.
struct PathPattern: Equatable {
  private let segments: [[Unicode.Scalar]]

  init(_ pattern: Name) { segments = PathPattern.segments(pattern) }

  func matches(_ path: Name) -> Bool {
    let parts = PathPattern.segments(path)
    guard parts.count == segments.count else { return false }
    return parts.indices.allSatisfy { PathPattern.matches(parts[$0], segments[$0]) }
  }

  private static func segments(_ path: Name) -> [[Unicode.Scalar]] {
    path.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { Array(String(decoding: $0, as: UTF8.self).unicodeScalars) }
  }

  /// In at most as many steps as the product of both lengths: only the last `*` is ever tried again.
  private static func matches(_ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
    var (position, place) = (0, 0)
    var star: (place: Int, position: Int)?
    while position < text.count {
      if place < pattern.count, pattern[place] == "*" {
        star = (place, position)
        place += 1
      } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[position] {
        position += 1
        place += 1
      } else if let last = star {
        star = (last.place, last.position + 1)
        position = last.position + 1
        place = last.place + 1
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }
}
