internal import PatchFormat

/// How a range of the new file is made; bytes that no operation makes are literals.
struct ScriptOperation: Equatable {
  let operation: PatchOperation
  /// Offset in what is made: in the new file, its residual, or a content.
  let new: Int
  /// Offset in the file that `operation` copies from; of the unit that comes first, if the order is reversed.
  ///
  /// 0 for numbers.
  let source: Int
  /// In bytes.
  let length: Int

  /// The first offset after it in what is made.
  var end: Int { new + length }
}

extension ScriptOperation {
  /// The part that makes these bytes of the new file.
  func part(_ range: Range<Int>) -> ScriptOperation {
    switch operation {
    case .copyOld, .resumeOld, .copyNew:
      ScriptOperation(
        operation: operation, new: range.lowerBound, source: source + range.lowerBound - new,
        length: range.count)
    case .copyOldReversed, .copyNewReversed:
      ScriptOperation(
        operation: operation, new: range.lowerBound, source: source - (range.lowerBound - new),
        length: range.count)
    case .numbers:
      ScriptOperation(operation: operation, new: range.lowerBound, source: 0, length: range.count)
    }
  }
}
