extension FixedWidthInteger {
  /// The sum, or the largest number there is: sizes from outside must not stop the program.
  package func saturatingSum(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
