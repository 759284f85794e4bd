/// The stage Doubles: where numbers are in a new file, and which lines of them occur elsewhere, too.
struct FoundDoubles {
  /// Nil without decimal fractions.
  let numbers: NumberParser?
  /// Of any doubles, in either order.
  let lines: [AlignedRange]

  /// - `unchanged`: where none are searched for.
  init(_ range: SearchRange, unchanged: UnchangedRanges) {
    lines = range.hasDoubles ? LineFinder.lines(range, unchanged: unchanged) : []
    numbers = range.hasDoubles ? NumberParser(range, lines: lines) : nil
  }
}
