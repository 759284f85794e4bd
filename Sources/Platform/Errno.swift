internal import CPlatform

/// The reason a system call failed.
///
/// A struct over the raw code: the kernel's set of codes is open, so no switch over it can be exhaustive.
package struct Errno: Error, Equatable {
  package let code: CInt

  package init(code: CInt) { self.code = code }

  package static var noEntry: Errno { Errno(code: ENOENT) }
  package static var exists: Errno { Errno(code: EEXIST) }
  package static var noSpace: Errno { Errno(code: ENOSPC) }
  package static var quotaExceeded: Errno { Errno(code: EDQUOT) }
  package static var wouldBlock: Errno { Errno(code: EWOULDBLOCK) }
  package static var interrupted: Errno { Errno(code: EINTR) }
  package static var readOnly: Errno { Errno(code: EROFS) }
  package static var invalid: Errno { Errno(code: EINVAL) }
  package static var outOfMemory: Errno { Errno(code: ENOMEM) }
  package static var notADirectory: Errno { Errno(code: ENOTDIR) }
  package static var isDirectory: Errno { Errno(code: EISDIR) }
  package static var notPermitted: Errno { Errno(code: EPERM) }
  package static var notAllowed: Errno { Errno(code: EACCES) }
  package static var input: Errno { Errno(code: EIO) }
  package static var notSupported: Errno { Errno(code: EOPNOTSUPP) }
  package static var fileTooLarge: Errno { Errno(code: EFBIG) }
  package static var tooLong: Errno { Errno(code: EMSGSIZE) }
  package static var notImplemented: Errno { Errno(code: ENOSYS) }

  /// There is nothing with the name, or something of another kind.
  package var isOfAbsence: Bool {
    self == .noEntry || self == .notADirectory || code == EISDIR || code == ELOOP
  }

  /// The file system or the kernel cannot do it.
  package var isOfMissingSupport: Bool { self == .notSupported || self == .notImplemented }

  /// Nobody listens at the path of a socket, or this user may not connect to it.
  package var isOfNoListener: Bool {
    self == .noEntry || self == .notADirectory || self == .notAllowed || code == ECONNREFUSED
  }

  /// Memory or descriptors are short at the moment.
  package var isOfShortage: Bool {
    self == .outOfMemory || code == EMFILE || code == ENFILE
  }

  /// The disk is full, or the user's share of it.
  package var isOutOfSpace: Bool { self == .noSpace || self == .quotaExceeded }

  /// The C library's sentence, such as "No such file or directory".
  package var sentence: String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }

  /// The error of the call that has just failed.
  static var last: Errno { Errno(code: tu_errno()) }

  /// Makes it the error of the call that has just failed, for a caller in C.
  package func raise() { tu_set_errno(code) }

  /// Runs `call` until it is not interrupted; throws if it returns -1.
  @discardableResult
  static func check<Result: FixedWidthInteger>(_ call: () -> Result) throws(Errno) -> Result {
    while true {
      let result = call()
      if result != -1 { return result }
      let error = Errno.last
      if error != .interrupted { throw error }
    }
  }
}
