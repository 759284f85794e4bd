internal import CArchive
internal import CPlatform
internal import Platform

/// The bytes of a zip archive for libarchive, which reads them in any order; what follows the archive it does not see.
///
/// A class, since C holds on to it from one call to the next.
final class ZipFile {
  private let file: File
  private let end: UInt64
  private var position: UInt64 = 0
  private let buffer: UnsafeMutableRawBufferPointer
  /// Why the last call read nothing.
  private(set) var failure: UnpackingError?

  var path: String { file.path }

  /// Refuses a file that is not whole, or whose names contradict each other.
  init(_ file: consuming File) throws(UnpackingError) {
    let tail = try ZipTail(of: file)
    try ZipNames.check(file, directory: tail.directory)
    end = tail.end
    self.file = file
    // Nothing frees it if what comes before is refused.
    buffer = .allocate(byteCount: 64 << 10, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// The next bytes, which stay until the next call; none at the end, and nil if they cannot be read.
  private func read() -> UnsafeRawBufferPointer? {
    do throws(Failure) {
      var space = unsafe MutableRawSpan(_unsafeBytes: buffer)
      let left = Int(clamping: end - min(position, end))
      let count = min(try file.read(into: &space, at: position), left)
      position += UInt64(count)
      return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    } catch {
      failure = .file(error)
      return nil
    }
  }

  /// The new position; nil if there is none such.
  private func seek(to offset: Int64, from whence: CInt) -> Int64? {
    let start = whence == SEEK_END ? end : whence == SEEK_CUR ? position : 0
    guard let origin = Int64(exactly: start) else { return nil }
    let (sum, overflow) = origin.addingReportingOverflow(offset)
    guard !overflow, let target = UInt64(exactly: sum) else { return nil }
    position = target
    return sum
  }

  /// Has libarchive read from here; false if it refuses.
  func open(_ handle: OpaquePointer) -> Bool {
    let onRead:
      @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeRawPointer?>?)
        -> la_ssize_t = { _, context, start in
          guard let context, let bytes = Unmanaged<ZipFile>.fromOpaque(context).takeUnretainedValue().read()
          else { return -1 }
          start?.pointee = bytes.baseAddress
          return bytes.count
        }
    let onSeek: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, la_int64_t, CInt) -> la_int64_t = {
      _, context, offset, whence in
      guard let context else { return -1 }
      return Unmanaged<ZipFile>.fromOpaque(context).takeUnretainedValue().seek(to: offset, from: whence) ?? -1
    }
    return archive_read_support_format_zip_seekable(handle) == ARCHIVE_OK
      && archive_read_set_seek_callback(handle, onSeek) == ARCHIVE_OK
      && archive_read_open2(handle, Unmanaged.passUnretained(self).toOpaque(), nil, onRead, nil, nil)
        == ARCHIVE_OK
  }
}
