/// How the content of a deflate stream is made.
struct StreamScript {
  /// How many bytes of the residual precede it.
  let residualOffset: Int
  let target: DeflateStream
  /// Nil if it is made without an old stream.
  let source: DeflateStream?
  /// Their offsets are those of both contents.
  let operations: [ScriptOperation]
  /// What is in both, if it is little: otherwise it is inflated again for each try.
  let contents: Contents?

  struct Contents {
    /// Empty without a source.
    let source: [UInt8]
    let target: [UInt8]
  }
}
