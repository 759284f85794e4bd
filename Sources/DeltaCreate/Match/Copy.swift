/// A range of the new file that resembles a range of the old one.
struct Copy: Equatable {
  /// Offset in the new file.
  let new: Int
  /// Offset in the old file.
  let old: Int
  let length: Int

  /// Where it ends in the new file.
  var end: Int { new + length }
  /// How much larger offsets in the old file are.
  var shift: Int { old - new }
}
