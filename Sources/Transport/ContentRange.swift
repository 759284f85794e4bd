internal import Platform

/// `bytes 100-199/200`, or `bytes */200` without a part.
package struct ContentRange: Equatable {
  package let part: ClosedRange<UInt64>?
  /// Nil for `*`.
  package let total: UInt64?

  package init?(_ text: String) {
    let halves = text.parts(separatedBy: "/", limit: 2)
    let words = halves[0].trimmed.parts(separatedBy: " ", limit: 2)
    guard halves.count == 2, words.count == 2, words[0] == "bytes" else { return nil }
    total = UInt64(ascii: halves[1].trimmed.utf8)
    guard total != nil || halves[1].trimmed == "*" else { return nil }
    guard words[1] != "*" else {
      part = nil
      return
    }
    let ends = words[1].parts(separatedBy: "-", limit: 2)
    guard ends.count == 2, let first = UInt64(ascii: ends[0].utf8), let last = UInt64(ascii: ends[1].utf8),
      first <= last, total.map({ last < $0 }) ?? true
    else { return nil }
    part = first...last
  }
}
