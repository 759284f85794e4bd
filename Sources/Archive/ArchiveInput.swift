internal import Platform

/// The bytes of an archive, as libarchive asks for them.
///
/// A class, since C holds on to it from one call to the next.
final class ArchiveInput {
  private let file: File
  private let buffer: UnsafeMutableRawBufferPointer
  private var position: UInt64 = 0
  /// Nil for a pipe, whose size is not known, and which cannot be read twice.
  let size: UInt64?
  /// Why the last call read nothing.
  private(set) var failure: Failure?
  /// Asked while nothing comes through a pipe.
  private let shouldStop: () -> Bool

  init(_ file: consuming File, shouldStop: @escaping () -> Bool) throws(Failure) {
    size = try file.isRegular() ? file.size() : nil
    buffer = .allocate(byteCount: ArchiveLimits.buffer, alignment: 16)
    self.shouldStop = shouldStop
    self.file = file
  }

  deinit { buffer.deallocate() }

  var path: String { file.path }

  /// The next bytes, which stay until the next call; none at the end, and nil if they cannot be read.
  func read() -> UnsafeRawBufferPointer? {
    while size == nil, !file.waitForInput(milliseconds: 200) {
      if shouldStop() {
        failure = .cancelled
        return nil
      }
    }
    do throws(Failure) {
      var bytes = unsafe MutableRawSpan(_unsafeBytes: buffer)
      let count = try file.read(into: &bytes)
      position += UInt64(count)
      return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    } catch {
      failure = error
      return nil
    }
  }

  /// Passes over up to `count` bytes, never beyond the end; how many, and nil if that fails.
  func skip(_ count: UInt64) -> UInt64? {
    guard let size else { return 0 }
    let skipped = min(count, size - min(position, size))
    guard skipped > 0 else { return 0 }
    return seek(to: position + skipped) ? skipped : nil
  }

  /// Reads from `offset` on next.
  func seek(to offset: UInt64) -> Bool {
    do throws(Failure) {
      try file.seek(to: offset)
      position = offset
      return true
    } catch {
      failure = error
      return false
    }
  }
}
