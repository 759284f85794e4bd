/// A range of the new file that resembles a range of the old one.
struct Copy: Equatable {
  /// Offset in the new file.
  let new: Int
  /// Offset in the old file.
  let old: Int
  let length: Int
}
