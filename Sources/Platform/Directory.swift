internal import CPlatform

/// An open directory; every name is looked up below it.
///
/// A name may hold slashes; the caller vouches that it has no `..` part.
public struct Directory: ~Copyable {
  private let raw: CInt
  package let path: String

  /// No directory: whatever is looked up in it fails with `EBADF`.
  package init() { (raw, path) = (-1, "") }

  /// Opens `path`, which must exist, relative to the working directory.
  package init(opening path: String) throws(Failure) {
    let raw = try File.open(AT_FDCWD, name: path, flags: O_RDONLY | O_DIRECTORY, shownAs: path)
    self.raw = raw
    self.path = path
  }

  /// Opens `path`, and calls it `name` in errors and in the paths of what is below.
  package init(opening path: String, shownAs name: String) throws(Failure) {
    let raw = try File.open(AT_FDCWD, name: path, flags: O_RDONLY | O_DIRECTORY, shownAs: name)
    self.raw = raw
    self.path = name
  }

  /// Opens `path`, and makes it and its parents where they are missing.
  package init(making path: String) throws(Failure) {
    // A confined process may open it, but none of its parents.
    do throws(Failure) {
      try self.init(opening: path)
      return
    } catch { if error.errno != .noEntry { throw error } }
    let start = try Directory(opening: path.utf8.first == UInt8(ascii: "/") ? "/" : ".")
    let below = String(decoding: Array(path.utf8.drop { $0 == UInt8(ascii: "/") }), as: UTF8.self)
    if !below.isEmpty && below != "." {
      try start.makeParents(of: below)
      try start.makeDirectory(below)
    }
    try self.init(opening: path)
  }

  private init(below directory: CInt, name: String, shownAs path: String) throws(Failure) {
    let raw = try File.open(directory, name: name, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW, shownAs: path)
    self.raw = raw
    self.path = path
  }

  private init(
    below directory: CInt, name: UnsafePointer<CChar>, shownAs path: String
  ) throws(Failure) {
    let raw = try check(path) { tu_openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0) }
    self.raw = raw
    self.path = path
  }

  @inline(never) deinit {
    if raw < 0 { return }
    // A child that was forked a moment ago has a copy until it becomes another program: closing alone
    // would leave it the lock.
    _ = flock(raw, LOCK_UN)
    _ = CPlatform.close(raw)
  }

  private func shown(_ name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }

  /// Opens a file below this directory; a symbolic link is refused.
  ///
  /// - `path`: what it is called in errors, if not by its own path.
  package func open(
    _ name: String, to access: File.Access = .read, shownAs path: String? = nil
  ) throws(Failure) -> File {
    try File(below: raw, name: name, to: access, shownAs: path ?? shown(name))
  }

  /// Opens a file or a directory below this one to read; a symbolic link is refused.
  ///
  /// The caller closes the descriptor.
  package func openDescriptor(_ name: String, of kind: Kind) throws(Failure) -> CInt {
    try File.open(
      raw, name: name, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK | (kind == .directory ? O_DIRECTORY : 0),
      shownAs: shown(name))
  }

  /// Opens a directory below this one; a symbolic link is refused.
  package func openDirectory(_ name: String) throws(Failure) -> Directory {
    try Directory(below: raw, name: name, shownAs: shown(name))
  }

  /// The kind of file that has a name.
  package enum Kind: Equatable { case file, directory, other }

  /// What `status(of:)` finds out.
  package struct Status {
    package let kind: Kind
    /// In bytes.
    package let size: UInt64
    /// The bytes that it takes on disk.
    package let occupied: UInt64
    /// How many names it has (hard links).
    package let links: UInt64
  }

  /// What has `name`, itself not followed; nil if there is nothing.
  package func status(of name: String) throws(Failure) -> Status? {
    var status = CPlatform.stat()
    do throws(Failure) {
      try call(name) { fstatat(raw, $0, &status, AT_SYMLINK_NOFOLLOW) }
    } catch {
      guard error.errno == .noEntry || error.errno == .notADirectory else { throw error }
      return nil
    }
    let kind: Kind =
      tu_is_regular(&status) != 0 ? .file : tu_is_directory(&status) != 0 ? .directory : .other
    // POSIX leaves the unit to the system; on Linux it is always 512 bytes.
    return Status(
      kind: kind, size: UInt64(clamping: status.st_size), occupied: UInt64(clamping: status.st_blocks) &* 512,
      links: UInt64(clamping: status.st_nlink))
  }

  /// Something has this path, be it what a link names.
  package static func isThere(_ path: String) -> Bool {
    var status = CPlatform.stat()
    return path.withCString { fstatat(AT_FDCWD, $0, &status, 0) } == 0
  }

  /// What has `name` belongs to another user than this process acts as, who is not root.
  package func isOfAnotherUser(_ name: String) throws(Failure) -> Bool {
    var status = CPlatform.stat()
    try call(name) { fstatat(raw, $0, &status, AT_SYMLINK_NOFOLLOW) }
    return geteuid() != 0 && status.st_uid != geteuid()
  }

  /// Makes a directory; one that exists already is left as it is.
  package func makeDirectory(_ name: String) throws(Failure) {
    do throws(Failure) { try call(name) { name in asOwner(of: raw) { mkdirat(raw, name, 0o755) } } } catch {
      guard error.errno == .exists else { throw error }
    }
  }

  /// Makes a directory for its owner alone; `EEXIST` if there is one.
  package func makePrivateDirectory(_ name: String) throws(Failure) {
    try call(name) { name in asOwner(of: raw) { mkdirat(raw, name, 0o700) } }
  }

  /// The file that has `name` now, itself not followed; nil if there is none.
  package func identity(of name: String) throws(Failure) -> FileIdentity? {
    var status = CPlatform.stat()
    do throws(Failure) { try call(name) { fstatat(raw, $0, &status, AT_SYMLINK_NOFOLLOW) } } catch {
      guard error.errno == .noEntry else { throw error }
      return nil
    }
    return FileIdentity(status)
  }

  /// Makes every directory on the way to the last part of `name`.
  package func makeParents(of name: String) throws(Failure) {
    let bytes = Array(name.utf8)
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") && index > 0 {
      try makeDirectory(String(decoding: bytes[..<index], as: UTF8.self))
    }
  }

  /// Makes a directory; a file or a symbolic link with its name is removed first.
  package func makeDirectory(replacing name: String) throws(Failure) {
    if let status = try status(of: name), status.kind != .directory { try remove(name) }
    try makeDirectory(name)
  }

  /// Removes a file or symbolic link; none is as good as removed.
  package func remove(_ name: String) throws(Failure) {
    do throws(Failure) { try call(name) { unlinkat(raw, $0, 0) } } catch {
      guard error.errno == .noEntry else { throw error }
    }
  }

  /// Removes a directory and everything below it, or a file; none is as good as removed.
  ///
  /// What cannot be removed stays, with the directories above it; everything else goes, and the first error is thrown.
  ///
  /// `depth`: how many levels may be below; more is `ELOOP`.
  package func removeTree(_ name: String, depth: Int = 32) throws(Failure) {
    try name.withPlatformString { (bytes) throws(Failure) in
      try removeTree(bytes, shownAs: shown(name), depth: depth)
    }
  }

  /// Removes everything in this directory whose name satisfies `isStale`.
  ///
  /// Names are bytes: one that is not valid UTF-8 is shown repaired, and removed all the same.
  package func removeTrees(where isStale: (String) -> Bool) throws(Failure) {
    try removeTrees(depth: 32, where: isStale)
  }

  private func removeTrees(depth: Int, where isStale: (String) -> Bool) throws(Failure) {
    var failure: Failure?
    try forEachEntry { (entry) throws(Failure) in
      let name = String(platformString: entry)
      guard isStale(name) else { return }
      do throws(Failure) { try removeTree(entry, shownAs: shown(name), depth: depth) } catch {
        if failure == nil { failure = error }
      }
    }
    if let failure { throw failure }
  }

  private func removeTree(
    _ name: UnsafePointer<CChar>, shownAs path: String, depth: Int
  ) throws(Failure) {
    guard depth > 0 else { throw Failure(Errno(code: ELOOP), path: path) }
    do throws(Failure) {
      let raw = raw
      do throws(Failure) {
        try check(path) { unlinkat(raw, name, 0) }
        return
      } catch {
        // Of a directory Linux says EISDIR, and EPERM where POSIX is followed to the letter.
        guard error.errno == Errno(code: EISDIR) || error.errno == .notPermitted else { throw error }
        let directory: Directory
        do throws(Failure) { directory = try Directory(below: raw, name: name, shownAs: path) } catch let
          other
        {
          throw other.errno == .notADirectory ? error : other
        }
        try directory.removeTrees(depth: depth - 1) { _ in true }
      }
      try check(path) { unlinkat(raw, name, AT_REMOVEDIR) }
    } catch {
      guard error.errno == .noEntry else { throw error }
    }
  }

  /// Renames within this directory, over whatever has the new name.
  package func rename(_ old: String, to new: String) throws(Failure) {
    try call(old) { old in new.withPlatformString { renameat(raw, old, raw, $0) } }
  }

  /// Gives `name` a second name in `target`: a hard link.
  package func link(_ name: String, to target: borrowing Directory, as other: String) throws(Failure) {
    let targetRaw = target.raw
    let shownTarget = target.shown(other)
    _ = try name.withPlatformString { (old) throws(Failure) in
      try other.withPlatformString { (new) throws(Failure) in
        try check(shownTarget) { linkat(raw, old, targetRaw, new, 0) }
      }
    }
  }

  /// Gives an open file another name below this directory; false if it cannot have one.
  func link(descriptor: CInt, as name: String) -> Bool {
    "/proc/self/fd/\(descriptor)".withPlatformString { old in
      name.withPlatformString { new in linkat(AT_FDCWD, old, raw, new, AT_SYMLINK_FOLLOW) == 0 }
    }
  }

  /// Makes a symbolic link called `name` that holds `destination`.
  package func makeSymbolicLink(_ name: String, to destination: String) throws(Failure) {
    try call(name) { name in
      destination.withPlatformString { destination in
        asOwner(of: raw) { symlinkat(destination, raw, name) }
      }
    }
  }

  /// What the symbolic link `name` holds; nil if there is none.
  package func readSymbolicLink(_ name: String) throws(Failure) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let capacity = bytes.count
    do throws(Failure) {
      let count = try name.withPlatformString { (pointer) throws(Failure) in
        try bytes.withUnsafeMutableBufferPointer { (buffer) throws(Failure) in
          try check(shown(name)) { tu_readlinkat(raw, pointer, buffer.baseAddress, capacity) }
        }
      }
      return String(decoding: bytes[..<count], as: UTF8.self)
    } catch {
      guard error.errno == .noEntry else { throw error }
      return nil
    }
  }

  /// Calls `body` with each name but `.` and `..`, in no order.
  ///
  /// One that is not valid UTF-8 comes repaired, and so names nothing.
  package func forEachName(_ body: (String) throws(Failure) -> Void) throws(Failure) {
    try forEachEntry { (entry) throws(Failure) in try body(String(platformString: entry)) }
  }

  private func forEachEntry(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Void
  ) throws(Failure) {
    let copy = try File.open(raw, name: ".", flags: O_RDONLY | O_DIRECTORY, shownAs: path)
    guard let stream = fdopendir(copy) else {
      let error = Errno.last
      _ = CPlatform.close(copy)
      throw Failure(error, path: path)
    }
    defer { closedir(stream) }
    while true {
      tu_set_errno(0)
      guard let entry = readdir(stream) else {
        let error = Errno.last
        guard error.code == 0 else { throw Failure(error, path: path) }
        return
      }
      guard let name = tu_entry_name(entry) else { continue }
      if strcmp(name, ".") != 0 && strcmp(name, "..") != 0 { try body(name) }
    }
  }

  /// Returns when the names in this directory are durable; `notSupported` if its file system cannot say that.
  package func synchronize() throws(Failure) {
    do throws(Failure) { try check(path) { fsync(raw) } } catch {
      throw error.errno == .invalid ? Failure(.notSupported, path: path) : error
    }
  }

  /// Returns when everything written to this directory's file system so far is durable.
  package func synchronizeFileSystem() throws(Failure) {
    try check(path) { syncfs(raw) }
  }

  /// The space of the file system of this directory.
  package func space() throws(Failure) -> Space {
    var status = CPlatform.statvfs()
    try check(path) { fstatvfs(raw, &status) }
    return Space(status)
  }

  /// It is in an overlay (overlayfs): what gets another name, or is changed, is copied from the lower layer to the upper.
  package func isOverlay() throws(Failure) -> Bool {
    var status = CPlatform.statfs()
    try check(path) { fstatfs(raw, &status) }
    // OVERLAYFS_SUPER_MAGIC of linux/magic.h.
    return UInt32(truncatingIfNeeded: status.f_type) == 0x794c_7630
  }

  /// Takes the lock that lives in this directory; throws `EWOULDBLOCK` if another process holds it.
  ///
  /// It is released when the directory is closed, and by the kernel when the process dies.
  package func lock(_ mode: LockMode) throws(Failure) {
    let operation = mode == .exclusive ? LOCK_EX : LOCK_SH
    try check(path) { flock(raw, operation | LOCK_NB) }
  }

  /// Takes the lock, waiting for another process that holds it; throws `EWOULDBLOCK` if that takes too long.
  ///
  /// - `limit`: milliseconds to wait at most.
  /// - `interval`: milliseconds between two attempts.
  /// - `shouldStop`: asked while waiting; true ends it.
  /// - Returns: false if `shouldStop` ended the waiting.
  @discardableResult
  package func lock(
    _ mode: LockMode, within limit: UInt64, every interval: UInt64, shouldStop: () -> Bool = { false }
  ) throws(Failure) -> Bool {
    try waitForLock(within: limit, every: interval, shouldStop: shouldStop) { () throws(Failure) in
      try lock(mode)
    }
  }

  /// Who may hold the lock at the same time.
  package enum LockMode: Equatable { case shared, exclusive }

  private func call(_ name: String, _ body: (UnsafePointer<CChar>) -> CInt) throws(Failure) {
    _ = try name.withPlatformString { (pointer) throws(Failure) in try check(shown(name)) { body(pointer) } }
  }
}
