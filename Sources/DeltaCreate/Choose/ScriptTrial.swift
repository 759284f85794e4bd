/// A script that was tried, and why it was taken or not.
package struct ScriptTrial: Equatable, Sendable {
  /// How its operations were found.
  package enum Origin: Equatable, Sendable {
    /// The new file equals the old one.
    case identical
    /// Deflate streams are made from their contents.
    case streams
    /// What one of the matchings has found, as it is, and numbers as such or not.
    case matched(Int, numbers: Bool)
    /// What the first matching has found, each copy continued to the next one.
    case aligned
    /// Window by window.
    case windows(Int)
    /// Copies with the least estimated costs, and numbers as such or not.
    case costs(PatchMaker.CopyCosts, numbers: Bool)
    /// Nothing is copied.
    case literals
  }

  package enum Verdict: Equatable, Sendable {
    case taken
    case rejected(Reason)
  }

  package enum Reason: Equatable, Sendable {
    /// Its estimated size is not less than that of another one.
    case larger
    /// It has the operations of another one.
    case same
    /// More than a third larger than the best one: nothing else of its kind was tried.
    case farAboveBest
    /// The estimate was near, but compressed it was not smaller.
    case largerWhenPacked
  }

  package let origin: Origin
  /// Bytes after compression, an estimate.
  package let size: Int
  package internal(set) var verdict: Verdict
}
