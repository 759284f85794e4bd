/// Finds what somebody probably meant who has mistyped a word.
///
/// The candidate that differs least: by one letter that is missing, added, other or exchanged with the next one, or in
/// longer words by two.
package struct Spelling {
  /// Longer words are compared with nothing.
  private static var longest: Int { 64 }

  private let word: [UInt8]
  /// Steps to the best candidate so far, or as many as it may have; negative: nothing is looked for any more.
  private var distance: Int
  private var best: [UInt8]?
  private var isUnique = true

  package init(_ word: String) {
    self.word = Array(word.utf8)
    let count = self.word.count
    distance = (2...Spelling.longest).contains(count) ? count < 5 ? 1 : 2 : -1
  }

  /// The closest of the candidates; nil if none is close, or several are equally.
  package static func closest(to word: String, among candidates: [String]) -> String? {
    var spelling = Spelling(word)
    for candidate in candidates { spelling.consider(Array(candidate.utf8)) }
    return spelling.closest
  }

  /// The closest of those that were considered; nil if none is close, or several are equally.
  package var closest: String? { isUnique ? best.map { String(decoding: $0, as: UTF8.self) } : nil }

  /// Compares a candidate; the same one may come several times.
  ///
  /// - `meaning`: what `closest` is if this is it; by default the candidate.
  package mutating func consider(_ candidate: [UInt8], as meaning: [UInt8]? = nil) {
    guard candidate.count <= Spelling.longest, abs(candidate.count - word.count) <= distance else { return }
    let (steps, meaning) = (steps(to: candidate), meaning ?? candidate)
    if steps < distance || steps == distance && best == nil {
      (distance, best, isUnique) = (steps, meaning, true)
    } else if steps == distance, meaning != best {
      isUnique = false
    }
  }

  /// Steps from the word to `other` (optimal string alignment); more than `distance`: at least that many.
  private func steps(to other: [UInt8]) -> Int {
    var (before, last) = ([Int](), Array(0...other.count))
    for (row, letter) in word.enumerated() {
      var next = [row + 1]
      var nearest = row + 1
      for (column, candidate) in other.enumerated() {
        var least = min(last[column + 1] + 1, next[column] + 1, last[column] + (letter == candidate ? 0 : 1))
        if row > 0, column > 0, letter == other[column - 1], word[row - 1] == candidate {
          least = min(least, before[column - 1] + 1)
        }
        next.append(least)
        nearest = min(nearest, least)
      }
      // An exchange takes one step from the row before the last.
      if nearest > distance + 1 { return nearest }
      (before, last) = (last, next)
    }
    return last[other.count]
  }
}
