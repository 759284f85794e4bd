/// A stretch of the new file that resembles a stretch of the old one.
struct Cover: Equatable {
  /// Offset in the new file.
  let new: Int
  /// Offset in the old file.
  let old: Int
  let length: Int
}
