/// What the sources of copies are coded relative to: where earlier copies ended.
///
/// A reversed copy ends where its last unit, the one with the lowest offset, begins.
package struct CopyCursors: Equatable {
  /// Where the last copy from the old file ended, or from the content of the old stream.
  private var old: UInt64 = 0
  /// Where the one before that ended.
  private var earlierOld: UInt64 = 0
  /// Where the last copy from the new file ended.
  private var new: UInt64 = 0

  package init() {}

  /// The delta to where a copy starts; 0 for numbers.
  package func delta(to start: UInt64, for operation: PatchOperation) -> Int64 {
    Int64(start) - Int64(base(operation))
  }

  /// Where a copy starts; nil before the beginning of a file, or too far for any file.
  package func start(_ delta: Int64, for operation: PatchOperation) -> UInt64? {
    let (start, overflow) = Int64(base(operation)).addingReportingOverflow(delta)
    return overflow || start < 0 ? nil : UInt64(start)
  }

  /// Notes where a copy of `count` units ended, which started within a file and ended there.
  package mutating func finish(_ operation: PatchOperation, from start: UInt64, count: UInt64) {
    let end: UInt64
    switch operation {
    case .copyOld, .copyNew, .resumeOld: end = start + count
    case .copyOldReversed, .copyNewReversed: end = start - (count - 1) * UInt64(operation.unitSize)
    case .numbers: return
    }
    switch operation.source {
    case .old:
      earlierOld = old
      old = end
    case .new: new = end
    case nil: break
    }
  }

  private func base(_ operation: PatchOperation) -> UInt64 {
    switch operation {
    case .copyOld, .copyOldReversed: old
    case .resumeOld: earlierOld
    case .copyNew, .copyNewReversed: new
    case .numbers: 0
    }
  }
}
