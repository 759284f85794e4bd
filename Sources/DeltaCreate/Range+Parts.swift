extension Range<Int> {
  /// Divides it into parts of nearly the same length.
  func parts(_ number: Int) -> [Range<Int>] {
    (0..<number).map { lowerBound + count * $0 / number..<lowerBound + count * ($0 + 1) / number }
  }
}
