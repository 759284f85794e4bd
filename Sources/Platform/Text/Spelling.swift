/// Finds what somebody probably meant who has mistyped a word.
package enum Spelling {
  /// Longer words are compared with nothing.
  private static var longest: Int { 32 }

  /// The candidate that differs least from `word`: by one letter that is missing, added, other or exchanged with the next
  /// one, or in longer words by two; nil if none does, or several equally.
  package static func closest(to word: String, among candidates: [String]) -> String? {
    let bytes = Array(word.utf8)
    guard (2...longest).contains(bytes.count) else { return nil }
    var best: (distance: Int, candidate: String?) = (bytes.count < 5 ? 1 : 2, nil)
    for candidate in candidates {
      let other = Array(candidate.utf8)
      guard other.count <= longest else { continue }
      let distance = distance(bytes, other)
      if distance < best.distance || (distance == best.distance && best.candidate == nil) {
        best = (distance, candidate)
      } else if distance == best.distance {
        best.candidate = ""
      }
    }
    return best.candidate == "" ? nil : best.candidate
  }

  /// Steps from one to the other (optimal string alignment).
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var (before, last) = ([Int](), Array(0...b.count))
    for (row, letter) in a.enumerated() {
      var next = [row + 1]
      for (column, other) in b.enumerated() {
        var least = min(last[column + 1] + 1, next[column] + 1, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == b[column - 1], a[row - 1] == other {
          least = min(least, before[column - 1] + 1)
        }
        next.append(least)
      }
      (before, last) = (last, next)
    }
    return last[b.count]
  }
}
