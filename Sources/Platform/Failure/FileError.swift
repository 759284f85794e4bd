/// A system call failed on a file, with its path for a message.
package struct FileError: Error, Equatable {
  package let errno: Errno
  package let path: String

  package init(_ errno: Errno, path: String) {
    self.errno = errno
    self.path = path
  }

  /// What happened and where, such as "/var/lib/x: No such file or directory".
  package var sentence: String { "\(path): \(errno.sentence)" }
}

/// Runs `call` until it is not interrupted; throws if it returns -1.
///
/// - `path`: the file that it is about.
@discardableResult
func check<Result: FixedWidthInteger>(_ path: String, _ call: () -> Result) throws(Failure) -> Result {
  do throws(Errno) { return try Errno.check(call) } catch { throw Failure(error, path: path) }
}
