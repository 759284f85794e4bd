internal import CArchive
internal import CPlatform
package import Platform

/// An archive of files, read from front to back: tar, plain or in gzip, xz or zstd, or zip.
///
/// The publisher's half of `Archive`, for archives that anyone made; devices read plain tar alone.
package struct PackedArchive: ~Copyable {
  private let path: String
  private let handle: OpaquePointer
  /// What names are converted to, whatever the process's locale is.
  ///
  /// "C" for tar: a name that is not ASCII comes as it is, with a warning; with UTF-8 it would come composed (NFC).
  /// libarchive drops such names of zip archives instead, so that these are composed, if they are marked as UTF-8.
  private let locale: locale_t?
  private let input: Input

  /// Begins at the front of `file`, which is on a disk.
  ///
  /// - `limit`: bytes that a tar archive may unpack to, headers included.
  package init(_ file: consuming File, limit: UInt64) throws(UnpackingError) {
    let path = file.path
    let input = try Input(file, limit: limit)
    let locale = tu_archive_locale(input.tar == nil ? "C.UTF-8" : "C")
    let opened = PackedArchive.using(locale) { input.open() }
    guard let handle = opened else {
      if let locale { freelocale(locale) }
      throw input.failure ?? .unknownFormat
    }
    self.path = path
    self.input = input
    self.locale = locale
    self.handle = handle
  }

  deinit {
    archive_read_free(handle)
    if let locale { freelocale(locale) }
  }

  /// The next entry; nil at the end of the archive, of which nothing is missing and which nothing follows.
  package mutating func next() throws(UnpackingError) -> PackedEntry? {
    var entry: OpaquePointer?
    let result = withLocale { archive_read_next_header(handle, &entry) }
    if result == ARCHIVE_EOF {
      try finish()
      return nil
    }
    guard result == ARCHIVE_OK || isNameKept(result), let entry else { throw failure() }
    let name = withLocale { archive_entry_pathname(entry) }
    let text = String(platformString: name)
    if archive_entry_is_encrypted(entry) != 0 { throw .encrypted(entry: text) }
    // A text that was repaired has other bytes than before.
    let isUTF8 = name.map { text.utf8.elementsEqual(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    return PackedEntry(name: text, isUTF8: isUTF8 ?? false, kind: try kind(of: entry))
  }

  /// Fills the front of `buffer` with the next bytes of the file that `next` returned; 0 at its end.
  package mutating func read(into buffer: inout MutableRawSpan) throws(UnpackingError) -> Int {
    let count = buffer.withUnsafeMutableBytes { archive_read_data(handle, $0.baseAddress, $0.count) }
    guard count >= 0 else { throw failure() }
    return count
  }

  /// Bytes of the archive that were read so far, for a display of the progress.
  package var bytesRead: UInt64 {
    input.tar?.packedPosition ?? UInt64(clamping: archive_filter_bytes(handle, -1))
  }

  private func kind(of entry: OpaquePointer) throws(UnpackingError) -> PackedEntry.Kind {
    let size = archive_entry_size_is_set(entry) != 0 ? UInt64(exactly: archive_entry_size(entry)) : nil
    if let target = withLocale({ archive_entry_hardlink(entry) }) {
      return .hardLink(to: String(platformString: target), isEmpty: (size ?? 0) == 0)
    }
    if tu_archive_is_directory(entry) != 0 { return .directory }
    guard tu_archive_is_file(entry) != 0, archive_entry_symlink(entry) == nil else { return .other }
    guard let size else { throw .damaged(cause: "a file without a size") }
    return .file(size: size)
  }

  /// The warning about a name, or the name of an owner, in a tar archive that is not ASCII.
  private func isNameKept(_ result: CInt) -> Bool {
    guard result == ARCHIVE_WARN, input.tar != nil, let words = archive_error_string(handle) else {
      return false
    }
    return String(platformString: words).hasSuffix("can't be converted from UTF-8 to current locale.")
  }

  /// A tar archive ends with blocks of zeros: one that was cut off between two files has none.
  private func finish() throws(UnpackingError) {
    guard let tar = input.tar else { return }
    let mark = archive_read_header_position(handle)
    guard archive_filter_bytes(handle, 0) >= mark + 512 else {
      throw tar.failure ?? .damaged(cause: "truncated tar archive, without its end mark")
    }
    try tar.finish(end: UInt64(clamping: mark))
  }

  private func failure() -> UnpackingError { input.failure ?? UnpackingError(handle, path: path) }

  private func withLocale<Result>(_ body: () -> Result) -> Result { PackedArchive.using(locale, body) }

  private static func using<Result>(_ locale: locale_t?, _ body: () -> Result) -> Result {
    guard let locale else { return body() }
    let previous = uselocale(locale)
    defer { uselocale(previous) }
    return body()
  }
}
