/// What operations are coded relative to, and what every section starts with anew.
///
/// Numbers with the base `output` are reset as well: for them the bytes before the section count as zeros.
package struct SectionState {
  package var copies = CopyCursors()
  /// The extents of old streams.
  package var sources = ExtentChain()
  package var numbers = NumberHistory()
  /// The cursors outside of the stream whose content is made.
  private var outerCopies = CopyCursors()

  package init() {}

  /// Sets aside what a stream does not change: its copies are coded relative to cursors of its own.
  package mutating func beginStream() {
    outerCopies = copies
    copies = CopyCursors()
  }

  /// Restores what `beginStream()` has set aside.
  package mutating func endStream() { copies = outerCopies }
}
