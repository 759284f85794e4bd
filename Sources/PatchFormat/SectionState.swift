/// What operations are coded relative to, and what every section starts with anew.
///
/// Numbers with the base `output` are reset as well: for them the bytes before the section count as zeros.
package struct SectionState {
  package var copies = CopyCursors()
  /// The extents of old streams.
  package var sources = ExtentChain()
  package var numbers = NumberHistory()

  package init() {}
}
