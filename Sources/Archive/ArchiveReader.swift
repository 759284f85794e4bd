internal import CArchive
package import Platform

/// A plain tar archive, read from front to back (POSIX.1-2017, pax, "pax Interchange Format" and "ustar Interchange
/// Format"), not compressed.
///
/// It holds files in directories; anything else in it is refused, and so is a name that leaves the archive.
public struct ArchiveReader: ~Copyable {
  private let input: ArchiveInput
  private var handle: OpaquePointer
  /// Where in the archive `handle` began.
  private var start: UInt64 = 0

  /// Begins at the front of `file`, which may be a pipe.
  ///
  /// - `shouldStop`: asked while nothing comes through the pipe.
  package init(_ file: consuming File, shouldStop: @escaping () -> Bool = { false }) throws(Failure) {
    let path = file.path
    let opened = try ArchiveInput(file, shouldStop: shouldStop)
    guard let handle = ArchiveReader.open(opened) else {
      throw opened.failure ?? .malformedArchive(path, cause: "it cannot be opened")
    }
    input = opened
    self.handle = handle
  }

  @inline(never) deinit { archive_read_free(handle) }

  package var path: String { input.path }

  /// It can be read from any place, as a pipe cannot.
  package var isSeekable: Bool { input.size != nil }

  /// Reads from the header at `offset` on; only if `isSeekable`.
  package mutating func seek(to offset: UInt64) throws(Failure) {
    archive_read_free(handle)
    guard input.seek(to: offset), let opened = ArchiveReader.open(input) else {
      // The old one is gone: an empty one takes its place.
      handle = archive_read_new()
      throw input.failure ?? .malformedArchive(path, cause: "it cannot be read again")
    }
    handle = opened
    start = offset
  }

  /// The next file; nil at the end of the archive.
  package mutating func next() throws(Failure) -> ArchiveEntry? {
    while true {
      var entry: OpaquePointer?
      let result = archive_read_next_header(handle, &entry)
      if result == ARCHIVE_EOF { return nil }
      guard result == ARCHIVE_OK, let entry else { throw failure() }
      if let file = try file(entry) { return file }
    }
  }

  /// Fills the front of `buffer` with the next bytes of the file that `next` returned; 0 at its end.
  package mutating func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int {
    let count = buffer.withUnsafeMutableBytes { archive_read_data(handle, $0.baseAddress, $0.count) }
    guard count >= 0 else { throw failure() }
    return count
  }

  /// Nil for a directory.
  private func file(_ entry: OpaquePointer) throws(Failure) -> ArchiveEntry? {
    let text = archive_entry_pathname(entry).map { String(platformString: $0) } ?? ""
    func refuse(_ flaw: EntryFlaw) -> Failure { .badEntry(text, of: path, flaw) }
    if tu_archive_is_directory(entry) != 0 { return nil }
    guard tu_archive_is_file(entry) != 0, archive_entry_hardlink(entry) == nil,
      archive_entry_symlink(entry) == nil
    else { throw refuse(.kind) }
    guard archive_entry_sparse_reset(entry) == 0 else { throw refuse(.sparse) }
    guard archive_entry_size_is_set(entry) != 0, let size = UInt64(exactly: archive_entry_size(entry)) else {
      throw refuse(.size)
    }
    guard let name = ArchiveEntry.name(text) else { throw refuse(.name) }
    return ArchiveEntry(
      name: name, size: size, offset: start + UInt64(clamping: archive_read_header_position(handle)))
  }

  private func failure() -> Failure {
    if let failure = input.failure { return failure }
    let cause = archive_error_string(handle).map { String(platformString: $0) } ?? "no cause is known"
    return .malformedArchive(path, cause: cause)
  }

  /// Nil if libarchive cannot begin, which it does by reading nothing.
  private static func open(_ input: ArchiveInput) -> OpaquePointer? {
    guard let handle = archive_read_new() else { return nil }
    let context = Unmanaged.passUnretained(input).toOpaque()
    let onRead:
      @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeRawPointer?>?)
        -> la_ssize_t = { _, context, start in
          guard let context,
            let bytes = Unmanaged<ArchiveInput>.fromOpaque(context).takeUnretainedValue().read()
          else {
            return -1
          }
          start?.pointee = bytes.baseAddress
          return bytes.count
        }
    let onSkip: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, la_int64_t) -> la_int64_t = {
      _, context, count in
      guard let context, count > 0 else { return 0 }
      let skipped = Unmanaged<ArchiveInput>.fromOpaque(context).takeUnretainedValue().skip(UInt64(count))
      return skipped.map { la_int64_t($0) } ?? la_int64_t(ARCHIVE_FATAL)
    }
    guard archive_read_support_format_tar(handle) == ARCHIVE_OK,
      archive_read_open2(handle, context, nil, onRead, onSkip, nil) == ARCHIVE_OK
    else {
      archive_read_free(handle)
      return nil
    }
    return handle
  }
}
