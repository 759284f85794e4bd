internal import Platform

/// The bytes of a file at one moment, in a file without a name that no other process can change.
///
/// The copy ends with this value. A file that is mapped into memory must not be cut meanwhile, or the kernel ends the process.
struct PrivateCopy: ~Copyable {
  private let file: File
  /// In bytes.
  let size: UInt64

  /// Copies a file, or a pipe up to its end.
  ///
  /// - `directory`: where there is room. On the same file system as the file its blocks are shared, if that can be.
  init(of path: String, in directory: borrowing Directory) throws(PublisherError) {
    let original = try onOperand { () throws(OperandError) in try File(reading: path) }
    let copy = try onFile { () throws(Failure) in
      try File(unnamedIn: directory, shownAs: "the copy of \(path) in \(directory.path)")
    }
    let before = try onFile { () throws(Failure) in try original.version() }
    if before.size == 0 || !PrivateCopy.share(original, copy) {
      try onFile { () throws(Failure) in try copy.append(original) }
    }
    let (isRegular, after) = try onFile { () throws(Failure) in
      (try original.isRegular(), try original.version())
    }
    guard !isRegular || after == before else { throw .input(.changedWhileRead(path: path)) }
    size = try onFile { () throws(Failure) in try copy.size() }
    file = copy
  }

  /// For as long as this lives.
  var path: String { "/proc/self/fd/\(file.raw)" }

  /// False if the blocks cannot be shared: the file is copied then.
  private static func share(_ original: borrowing File, _ copy: borrowing File) -> Bool {
    do throws(Failure) {
      try copy.share(original, at: 0)
      return true
    } catch { return false }
  }
}
