internal import PatchFormat

/// How a stretch of the new file is made; what no operation makes are extras.
struct ScriptOperation: Equatable {
  let kind: PatchOperation
  /// Offset in the new file.
  let new: Int
  /// Offset in the file that the kind says; of the unit that comes first, if it goes backwards.
  ///
  /// 0 for numbers.
  let source: Int
  /// In bytes.
  let length: Int

  /// Where the stretch ends in the new file.
  var end: Int { new + length }
}

/// A stretch of the new file that resembles a stretch of the old one.
struct Cover: Equatable {
  /// Offset in the new file.
  let new: Int
  /// Offset in the old file.
  let old: Int
  let length: Int
}
