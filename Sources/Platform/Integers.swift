extension FixedWidthInteger {
  /// The sum, or the largest number there is: what somebody else says of sizes must not stop the program.
  package func saturatingSum(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
