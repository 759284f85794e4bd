package import PatchFormat

/// Makes the new file from the old one and a patch that arrives piece by piece.
///
/// No byte is decoded before its frame is authenticated. Memory is constant: everything is allocated when the head is
/// known, `PatchHead.memoryNeeded` bytes at most. Comparing the digests of the old and of the new file is left to the
/// caller. After an error the applier is unusable; the new file is valid up to the last checkpoint.
package struct Applier: ~Copyable {
  private var reader: PatchReader
  /// Nil until the head is known.
  private var executor: BlockExecutor?

  /// Starts with the first byte of the patch, or at a checkpoint; then the first byte for `consume` is the one at its
  /// `containerOffset`.
  ///
  /// A patch that needs more than `memoryLimit` bytes is refused before anything is allocated.
  package init(
    _ expectation: PatchExpectation, from checkpoint: Checkpoint? = nil, memoryLimit: UInt64
  ) throws(DeltaError) {
    let reader = try PatchReader(expectation, from: checkpoint, memoryLimit: memoryLimit)
    if let checkpoint {
      executor = try BlockExecutor(checkpoint.head, completed: checkpoint.completed)
    }
    self.reader = reader
  }

  /// Nil until it is known.
  package var head: PatchHead? { reader.head }

  /// Offset in the patch of the next byte for `consume`.
  package var position: UInt64 { reader.position }

  /// The bytes of the new file so far.
  package var completed: UInt64 {
    switch executor {
    case .some(let executor): executor.position.offset
    case .none: 0
    }
  }

  /// Takes the next piece of the patch, of any size.
  ///
  /// Errors of `files` are rethrown.
  package mutating func consume(_ bytes: RawSpan, files: any PatchFiles) throws(DeltaError) {
    var taken = 0
    while let event = try reader.next(bytes, taken: &taken, completed: completed) {
      switch event {
      case .head(let head): executor = try BlockExecutor(head, completed: 0)
      case .frame(.sectionStarted): executor?.startSection()
      case .frame(.block): try Applier.execute(reader, with: &executor, files: files)
      case .frame(.sectionEnded(let next)):
        // An optional that cannot be copied is changed in place, or taken out and lost with an error.
        // swift-format-ignore: NeverForceUnwrap
        try executor!.endSection(files)
        guard let next, let head else { break }
        try files.reached(
          Checkpoint(containerOffset: next.offset, completed: completed, frame: next.frame, head: head))
      }
    }
  }

  /// Ends the patch; the new file is complete if this does not throw.
  ///
  /// Returns the head, which identifies the new file.
  @discardableResult
  package consuming func finish() throws(DeltaError) -> PatchHead {
    try reader.finish(completed: completed)
    guard let head else { throw .truncated(at: position) }
    return head
  }

  /// Reads one part of `self` and changes another, which a method cannot.
  private static func execute(
    _ reader: borrowing PatchReader, with executor: inout BlockExecutor?, files: any PatchFiles
  ) throws(DeltaError) {
    try reader.withBlock { (block) throws(DeltaError) in
      // swift-format-ignore: NeverForceUnwrap
      try executor!.execute(block, files: files)
    }
  }
}
