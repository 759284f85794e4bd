internal import CPlatform

/// What the kernel notices about the files in a directory (inotify(7)).
///
/// Asking it is one system call that reaches no file system, however often.
public struct DirectoryWatch: ~Copyable {
  /// For `Poll`.
  package let raw: CInt
  private var events = Buffer(count: 4096)

  /// What is noticed.
  package enum Subject {
    /// A file is written and closed, or renamed into the directory.
    case files
    /// A name is made, renamed or removed.
    case names
  }

  /// Nil if the kernel cannot watch: it has no inotify, or its limits are used up.
  package init?(_ directory: borrowing Directory, for subject: Subject = .files) {
    let raw = tu_open_watch()
    guard raw >= 0 else { return nil }
    guard
      directory.path.withPlatformString({
        subject == .files ? tu_watch_files(raw, $0) : tu_watch_names(raw, $0)
      }) >= 0
    else {
      _ = CPlatform.close(raw)
      return nil
    }
    self.raw = raw
  }

  @inline(never) deinit { _ = CPlatform.close(raw) }

  /// It happened since the last call, or perhaps did.
  ///
  /// - `isIgnored`: asked for the name of each; an empty name stands for some that the kernel has lost.
  package mutating func hasChanges(except isIgnored: (String) -> Bool) -> Bool {
    let raw = raw
    var space = events.mutableBytes
    return space.withUnsafeMutableBytes { bytes in
      let count: Int
      do throws(Errno) {
        count = try Errno.check { read(raw, bytes.baseAddress, bytes.count) }
      } catch { return error != .wouldBlock }
      var offset = 0
      while let name = tu_next_watched(bytes.baseAddress, count, &offset) {
        if !isIgnored(String(platformString: name)) { return true }
      }
      // More may wait than were read.
      return count + Int(NAME_MAX) > bytes.count
    }
  }
}
