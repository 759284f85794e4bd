/// The blocks of a section, before they are compressed.
struct Section {
  /// How many bytes of the new file are complete before it.
  let completed: UInt64
  var bytes: [UInt8] = []
}
