/// How far the making of a patch has come.
///
/// A large file takes hours, in which an operator wants to see that something happens.
package struct PatchProgress: Equatable, Sendable {
  /// What begins, in this order; in windows again for each of them.
  package enum Stage: String, CaseIterable, Sendable {
    /// Compressed contents are searched for.
    case streams
    /// Matches with the old file are searched for.
    case matching
    /// The smallest of several scripts is searched for.
    case choosing
    /// The best one is compressed.
    case packing
    /// The patch is applied, and the result compared.
    case checking
  }

  package let stage: Stage
  /// The number of the window, from 1, and of all of them; nil if the file is searched as a whole.
  package private(set) var window: (number: Int, count: Int)?

  package init(_ stage: Stage) { self.stage = stage }

  /// The same in a window.
  func inWindow(_ number: Int, of count: Int) -> PatchProgress {
    var progress = self
    progress.window = (number, count)
    return progress
  }

  package static func == (a: PatchProgress, b: PatchProgress) -> Bool {
    a.stage == b.stage && a.window?.number == b.window?.number && a.window?.count == b.window?.count
  }
}
