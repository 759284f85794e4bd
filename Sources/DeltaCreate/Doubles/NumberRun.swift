/// Consecutive decimal fractions in a file, as little-endian doubles: usually coordinates.
struct NumberRun {
  /// Offset of the first.
  let start: Int
  let count: Int
  /// Digits after the point that suffice for all of them.
  let decimals: Int
  /// How many numbers back the one is that is closest to each.
  let stride: Int

  var end: Int { start + 8 * count }
}
