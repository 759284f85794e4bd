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

/// What the table of failures says of a system call.
extension FileError {
  var result: ResultCode {
    errno.isOutOfSpace ? .outOfSpace : errno == .outOfMemory ? .overBudget : .storage
  }

  /// The sentence, and what to do about the errors that have an answer.
  var advice: String {
    switch errno {
    case .noSpace, .quotaExceeded: "\(sentence); free some space and run it again, nothing was changed"
    case .readOnly: "\(sentence); mount it writable, nothing was changed"
    case .notAllowed: "\(sentence); run as a user who may do that, such as the owner of the store"
    case .fileTooLarge where ThisProcess.limitsFileSizes:
      "\(sentence); raise the file size limit of the calling process (ulimit -f)"
    case .fileTooLarge:
      "\(sentence); its file system does not take files of that size (FAT ends at 4 GiB): move the store to ext4, f2fs, "
        + "XFS or btrfs"
    case .notSupported:
      "\(sentence); its file system lacks what a store needs: use ext4, f2fs, btrfs, XFS or UBIFS"
    case .input: "\(sentence); the disk may be failing, check the kernel's log"
    case .notADirectory: "\(sentence); move the file with that name elsewhere, nothing was changed"
    default: "\(sentence); nothing was changed"
    }
  }
}

/// Runs `call` until it is not interrupted; throws if it returns -1.
///
/// - `path`: the file that it is about.
@discardableResult
func check<Result: FixedWidthInteger>(_ path: String, _ call: () -> Result) throws(Failure) -> Result {
  do throws(Errno) { return try Errno.check(call) } catch { throw Failure(error, path: path) }
}
