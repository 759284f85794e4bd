internal import Archive
internal import CArchive
package import Platform

/// Writes a plain tar archive: ustar, with a pax header only for what ustar has no room for (POSIX.1-2017, pax).
///
/// The same files give the same bytes: owner and time are those of nobody.
public struct ArchiveWriter: ~Copyable {
  private let file: File
  private let handle: OpaquePointer

  /// Writes to `file` from where it is; a pipe will do.
  package init(_ file: consuming File) throws(Failure) {
    let path = file.path
    guard let handle = archive_write_new() else { throw .noMemory }
    guard archive_write_set_format_pax_restricted(handle) == ARCHIVE_OK,
      archive_write_add_filter_none(handle) == ARCHIVE_OK,
      archive_write_set_bytes_per_block(handle, ArchiveWriter.block) == ARCHIVE_OK,
      archive_write_set_bytes_in_last_block(handle, 512) == ARCHIVE_OK,
      archive_write_open_fd(handle, file.raw) == ARCHIVE_OK
    else {
      archive_write_free(handle)
      throw .malformedArchive(path, cause: "it cannot be begun")
    }
    self.file = file
    self.handle = handle
  }

  deinit {
    // Without this, freeing it would write the end of an archive that is not complete.
    archive_write_fail(handle)
    archive_write_free(handle)
  }

  private static var block: CInt { 64 << 10 }

  /// Begins a file of exactly `size` bytes, which follow with `write`.
  package mutating func begin(_ name: String, size: UInt64) throws(Failure) {
    guard let entry = archive_entry_new() else { throw .noMemory }
    defer { archive_entry_free(entry) }
    name.withPlatformString { archive_entry_set_pathname(entry, $0) }
    archive_entry_set_size(entry, la_int64_t(clamping: size))
    tu_archive_set_file(entry)
    archive_entry_set_perm(entry, 0o644)
    archive_entry_set_mtime(entry, 0, 0)
    try check(archive_write_header(handle, entry))
  }

  package mutating func write(_ bytes: RawSpan) throws(Failure) {
    let written = bytes.withUnsafeBytes { archive_write_data(handle, $0.baseAddress, $0.count) }
    guard written == bytes.byteCount else { throw failure() }
  }

  /// Writes the end of the archive.
  package mutating func finish() throws(Failure) { try check(archive_write_close(handle)) }

  private func check(_ result: CInt) throws(Failure) {
    guard result == ARCHIVE_OK else { throw failure() }
  }

  private func failure() -> Failure {
    let code = archive_errno(handle)
    if code > 0 { return Failure(Errno(code: code), path: file.path) }
    let cause = archive_error_string(handle).map { String(platformString: $0) } ?? "no cause is known"
    return .badArchive(sentence: "\(file.path) could not be written: \(cause)")
  }
}
