extension FixedWidthInteger {
  /// The sum, or else the number next to it: sizes from outside must not stop the program.
  package func saturatingSum(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
