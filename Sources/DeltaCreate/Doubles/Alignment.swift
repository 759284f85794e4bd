internal import PatchFormat

/// Which byte of a source each byte of a range of the new file is compared with.
struct Alignment: Hashable {
  let source: CopySource
  let order: Order

  enum Order: Hashable {
    /// In the order of the source: offsets there are larger by `shift`, which may be negative.
    case forward(shift: Int)
    /// Units of `unit` bytes in reverse order: the one at an offset comes from `sum` minus that offset. Units begin at
    /// multiples of `unit`, plus `phase`.
    case reversed(sum: Int, unit: Int, phase: Int)
  }

  static func forward(_ source: CopySource, shift: Int) -> Alignment {
    Alignment(source: source, order: .forward(shift: shift))
  }

  /// With one of the units at `offset` of the new file and at `sourceOffset` of the source.
  static func reversed(_ source: CopySource, unit: Int, at offset: Int, from sourceOffset: Int) -> Alignment {
    Alignment(
      source: source, order: .reversed(sum: offset + sourceOffset, unit: unit, phase: offset % unit))
  }

  /// The offset in the source of the byte at `offset` of the new file.
  func sourceOffset(of offset: Int) -> Int {
    switch order {
    case .forward(let shift): return offset + shift
    case .reversed(let sum, let unit, let phase):
      let within = (offset + unit - phase) % unit
      return sum - (offset - within) + within
    }
  }

  /// Where the cursor of its source is after an operation that ends at `end` of the new file.
  func cursor(after end: Int) -> Int {
    switch order {
    case .forward(let shift): end + shift
    case .reversed(let sum, let unit, _): sum - end + unit
    }
  }

  /// The bytes of a unit whose bytes stay in their order, at least of one number.
  var unit: Int {
    switch order {
    case .forward: 8
    case .reversed(_, let unit, _): unit
    }
  }

  /// The first offset from `offset` on where an operation may begin or end.
  func boundary(from offset: Int) -> Int {
    switch order {
    case .forward: offset
    case .reversed(_, let unit, let phase): offset + (phase + unit - offset % unit) % unit
    }
  }

  /// The operation that makes a range of the new file, of whole units.
  ///
  /// - `hasDifferences`: whether not all of its bytes equal their source.
  func operation(_ range: Range<Int>, hasDifferences: Bool) -> ScriptOperation {
    let operation: PatchOperation =
      switch (order, source) {
      case (.forward, .old): .copyOld
      case (.forward, .new): .copyNew
      case (.reversed(_, let unit, _), .old): .copyOldReversed(unit: unit / 8, hasDifferences: hasDifferences)
      case (.reversed(_, let unit, _), .new): .copyNewReversed(unit: unit / 8, hasDifferences: hasDifferences)
      }
    return ScriptOperation(
      operation: operation, new: range.lowerBound, source: sourceOffset(of: range.lowerBound),
      length: range.count)
  }
}

/// A range of the new file that may be copied with one alignment.
struct AlignedRange {
  let range: Range<Int>
  let alignment: Alignment
}
