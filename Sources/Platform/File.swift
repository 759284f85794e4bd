internal import CPlatform

/// An open file, closed exactly once.
///
/// It remembers its path only to be able to say it in an error.
public struct File: ~Copyable {
  package private(set) var raw: CInt  // -1 once closed
  package let path: String

  /// How a file is opened.
  ///
  /// A closed set: no caller combines raw flags.
  package enum Access {
    /// Existing, read only.
    case read
    /// Existing or new, for reading and writing, kept as it is.
    case update
    /// Existing, for reading and writing: a terminal, which does not become that of the process.
    case terminal
    /// Existing or new, emptied, for reading and writing.
    case replace
    /// Existing or new; every write goes to the end.
    case append
    /// New, for reading and writing; `EEXIST` if there is one.
    case make
    /// New, for reading and writing, and never to be read by anyone but its owner; `EEXIST` if there is one.
    case makePrivate

    fileprivate var flags: CInt {
      switch self {
      case .read: O_RDONLY
      case .update: O_RDWR | O_CREAT
      case .terminal: O_RDWR | O_NOCTTY
      case .replace: O_RDWR | O_CREAT | O_TRUNC
      case .append: O_WRONLY | O_CREAT | O_APPEND
      case .make, .makePrivate: O_RDWR | O_CREAT | O_EXCL
      }
    }

    /// The permissions of a file that is made.
    fileprivate var mode: mode_t {
      switch self {
      case .read, .update, .terminal, .replace, .append, .make: 0o644
      case .makePrivate: 0o600
      }
    }
  }

  /// Opens `path` relative to the working directory; a symbolic link is followed.
  package init(opening path: String, to access: Access = .read) throws(Failure) {
    let raw = try File.open(AT_FDCWD, name: path, flags: access.flags, mode: access.mode, shownAs: path)
    self.raw = raw
    self.path = path
  }

  /// Opens `path`, or a pipe with that name, to which nothing may write yet: `waitForInput` says when something does.
  package init(openingInput path: String) throws(Failure) {
    let raw = try File.open(AT_FDCWD, name: path, flags: O_RDONLY | O_NONBLOCK, shownAs: path)
    // Only opening it must not wait.
    guard tu_wait_for_bytes(raw) == 0 else {
      let error = Failure(Errno.last, path: path)
      _ = CPlatform.close(raw)
      throw error
    }
    self.raw = raw
    self.path = path
  }

  /// The same open file, for another owner: both have one current position.
  package init(duplicating file: borrowing File) throws(Failure) {
    let (original, path) = (file.raw, file.path)
    raw = try check(path) { tu_duplicate(original) }
    self.path = path
  }

  /// Standard input; closing it leaves that open.
  package init(standardInput shownAs: String) throws(Failure) {
    let raw = try check(shownAs) { dup(0) }
    self.raw = raw
    path = shownAs
  }

  /// Standard output; closing it leaves that open.
  package init(standardOutput shownAs: String) throws(Failure) {
    let raw = try check(shownAs) { dup(1) }
    self.raw = raw
    path = shownAs
  }

  /// Opens `name` below a directory; a symbolic link in the last place is refused.
  init(below directory: CInt, name: String, to access: Access, shownAs path: String) throws(Failure) {
    // A pipe in the place of a file must not block this process until its other end is opened.
    let flags = access.flags | O_NOFOLLOW | O_NONBLOCK
    let raw = try File.open(directory, name: name, flags: flags, mode: access.mode, shownAs: path)
    self.raw = raw
    self.path = path
  }

  static func open(
    _ base: CInt, name: String, flags: CInt, mode: mode_t = 0, shownAs path: String
  ) throws(Failure) -> CInt {
    try name.withPlatformString { (pointer) throws(Failure) in
      try check(path) {
        flags & O_CREAT == 0
          ? tu_openat(base, pointer, flags, mode)
          : asOwner(of: base) { tu_openat(base, pointer, flags, mode) }
      }
    }
  }

  @inline(never) deinit {
    if raw >= 0 { _ = CPlatform.close(raw) }  // error paths only; a success path calls close()
  }

  /// Gives a file another name in the same file system; one that has it is replaced.
  package static func rename(_ path: String, to other: String) throws(Failure) {
    try path.withPlatformString { (old) throws(Failure) in
      try other.withPlatformString { (new) throws(Failure) in
        _ = try check(path) { CPlatform.rename(old, new) }
      }
    }
  }

  /// Removes a file, if it is there and can be removed.
  package static func remove(_ path: String) { path.withPlatformString { _ = unlink($0) } }

  /// Closes and reports the delayed write errors that `deinit` would drop.
  package consuming func close() throws(Failure) {
    let descriptor = raw
    raw = -1  // not `discard self`: rejected by Embedded Swift 6.3
    // Not retried on EINTR: on Linux the descriptor is already released.
    if CPlatform.close(descriptor) == -1 { throw Failure(Errno.last, path: path) }
  }

  /// The size in bytes.
  package func size() throws(Failure) -> UInt64 {
    var status = CPlatform.stat()
    try check(path) { fstat(raw, &status) }
    guard tu_is_directory(&status) == 0 else { throw Failure(Errno(code: EISDIR), path: path) }
    return UInt64(clamping: status.st_size)
  }

  /// It has its bytes on a disk, so that they can be read from any place, unlike those of a pipe.
  package func isRegular() throws(Failure) -> Bool {
    var status = CPlatform.stat()
    try check(path) { fstat(raw, &status) }
    return tu_is_regular(&status) != 0
  }

  /// Only its owner may read or write it.
  package func isPrivate() throws(Failure) -> Bool {
    var status = CPlatform.stat()
    try check(path) { fstat(raw, &status) }
    return status.st_mode & 0o077 == 0
  }

  /// Waits until there is something to read, or the end; false if a signal or the time limit came first.
  package func waitForInput(milliseconds: CInt) -> Bool {
    var wanted = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
    let count = poll(&wanted, 1, milliseconds)
    // Whatever else is wrong, reading reports it.
    return count > 0 || count == -1 && Errno.last != .interrupted
  }

  /// Fills the front of `buffer` from the current position, with at most `limit` bytes; 0 at the end.
  package func read(into buffer: inout MutableRawSpan, upTo limit: UInt64 = .max) throws(Failure) -> Int {
    try buffer.withUnsafeMutableBytes { (bytes) throws(Failure) in
      let count = Int(min(UInt64(bytes.count), limit))
      return try check(path) { CPlatform.read(raw, bytes.baseAddress, count) }
    }
  }

  /// Fills the front of `buffer` from `offset`, as far as the file goes; returns the byte count.
  package func read(into buffer: inout MutableRawSpan, at offset: UInt64) throws(Failure) -> Int {
    guard offset <= UInt64(Int64.max) else { return 0 }
    return try buffer.withUnsafeMutableBytes { (bytes) throws(Failure) in
      var done = 0
      while done < bytes.count {
        let count = try check(path) {
          pread(raw, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(offset) + off_t(done))
        }
        if count == 0 { break }
        done += count
      }
      return done
    }
  }

  /// The same; an error of storage counts only if a second read has it, too.
  package func readTwice(into buffer: inout MutableRawSpan, at offset: UInt64) throws(Failure) -> Int {
    do throws(Failure) { return try read(into: &buffer, at: offset) } catch {
      guard error.errno == .input else { throw error }
    }
    dropCache()
    return try read(into: &buffer, at: offset)
  }

  /// Writes every byte of `bytes` at the current position.
  package func write(_ bytes: RawSpan) throws(Failure) {
    try bytes.withUnsafeBytes { (bytes) throws(Failure) in
      var done = 0
      while done < bytes.count {
        done += try check(path) {
          CPlatform.write(raw, bytes.baseAddress?.advanced(by: done), bytes.count - done)
        }
      }
    }
  }

  /// Writes every byte of `bytes` from `offset`; the current position stays where it is.
  package func write(_ bytes: RawSpan, at offset: UInt64) throws(Failure) {
    guard let begin = off_t(exactly: offset) else { throw Failure(.invalid, path: path) }
    try bytes.withUnsafeBytes { (bytes) throws(Failure) in
      var done = 0
      while done < bytes.count {
        done += try check(path) {
          pwrite(raw, bytes.baseAddress?.advanced(by: done), bytes.count - done, begin + off_t(done))
        }
      }
    }
  }

  /// Takes the space for `size` bytes from the file system now, in one piece if it has one; the size stays.
  ///
  /// Too little space is an error, after which nothing stays reserved. A file system that cannot do this gives the space as it is written.
  package func reserve(_ size: UInt64) throws(Failure) {
    guard size > 0 else { return }
    guard let length = off_t(exactly: size) else { throw Failure(.invalid, path: path) }
    do throws(Failure) {
      try check(path) { tu_reserve(raw, length) }
    } catch {
      if error.errno?.isOfMissingSupport == true || error.errno == .invalid { return }
      do throws(Failure) { try release(to: self.size()) } catch {}
      throw error
    }
  }

  /// The space of its file system.
  package func space() throws(Failure) -> Space {
    var status = CPlatform.statvfs()
    try check(path) { fstatvfs(raw, &status) }
    return Space(status)
  }

  /// Gives bytes back to the file system: they read as zeros from then on, and the size stays.
  package func punch(from offset: UInt64, count: UInt64) throws(Failure) {
    guard let start = off_t(exactly: offset), let length = off_t(exactly: count), length > 0 else {
      throw Failure(.invalid, path: path)
    }
    try check(path) { tu_punch(raw, start, length) }
  }

  /// Adds the bytes of `other` at `offset` without copying them: both files use the same blocks until one is written.
  ///
  /// The offset is a multiple of the blocks of their file system. Few file systems can do this: Btrfs, XFS, bcachefs.
  package func share(_ other: borrowing File, at offset: UInt64) throws(Failure) {
    try check(path) { tu_clone_file(raw, other.raw, offset) }
  }

  /// How many names it has (hard links).
  package func links() throws(Failure) -> UInt64 {
    var status = CPlatform.stat()
    try check(path) { fstat(raw, &status) }
    return UInt64(clamping: status.st_nlink)
  }

  /// Writes a text as UTF-8.
  package func write(_ text: String) throws(Failure) {
    let bytes = [UInt8](text.utf8)
    try write(bytes.span.bytes)
  }

  /// Gives it another name below `directory`; false if it cannot have one, as in another file system.
  package func link(to directory: borrowing Directory, as name: String) -> Bool {
    directory.link(descriptor: raw, as: name)
  }

  /// Moves the current position.
  package func seek(to offset: UInt64) throws(Failure) {
    guard let position = off_t(exactly: offset) else { throw Failure(.invalid, path: path) }
    try check(path) { lseek(raw, position, SEEK_SET) }
  }

  /// Cuts or extends the file to `size` bytes.
  package func truncate(to size: UInt64) throws(Failure) {
    guard let length = off_t(exactly: size) else { throw Failure(.invalid, path: path) }
    try check(path) { ftruncate(raw, length) }
  }

  /// Returns when the bytes and the size are durable.
  package func synchronize() throws(Failure) {
    try check(path) { fsync(raw) }
  }

  /// Returns when the bytes are durable, and what is needed to find them; the time of change may not be.
  package func synchronizeData() throws(Failure) {
    try check(path) { fdatasync(raw) }
  }

  /// Gives back the space that `reserve` took and nothing was written to: the file has `size` bytes then.
  package func release(to size: UInt64) throws(Failure) {
    // Btrfs does nothing where the size stays the same.
    try truncate(to: size + 1)
    try truncate(to: size)
  }

  /// Asks the kernel to forget the cached bytes, so that the next read comes from storage.
  package func dropCache() { _ = posix_fadvise(raw, 0, 0, POSIX_FADV_DONTNEED) }

  /// Advises the kernel that the file is read from front to back.
  package func readSequentially() { _ = posix_fadvise(raw, 0, 0, POSIX_FADV_SEQUENTIAL) }
}
