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
    let distance = range.lowerBound - new
    let source =
      switch operation {
      case .copyOld, .resumeOld, .copyNew: source + distance
      case .copyOldReversed, .copyNewReversed: source - distance
      case .numbers: 0
      }
    return ScriptOperation(
      operation: operation, new: range.lowerBound, source: source, length: range.count)
  }
}
