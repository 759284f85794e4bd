/// Bytes of the old file that equal the pattern that was searched for.
struct Match: Equatable {
  var old: Int
  var length: Int
}
