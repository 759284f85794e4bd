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

/// Adds the path to what `body` throws.
@discardableResult
func reporting<Result: ~Copyable>(
  _ path: String, _ body: () throws(Errno) -> Result
) throws(FileError) -> Result {
  do throws(Errno) { return try body() } catch { throw FileError(error, path: path) }
}
