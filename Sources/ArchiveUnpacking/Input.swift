internal import CArchive
internal import Platform

extension PackedArchive {
  /// The file of an archive, in its format.
  ///
  /// A class, since C holds on to parts of it from one call to the next.
  final class Input {
    /// Nil for a zip archive.
    let tar: TarInput?
    /// Nil for a tar archive.
    private let zip: ZipFile?
    /// Why it was not opened, or the last call read nothing.
    private var cause: UnpackingError?
    var failure: UnpackingError? { tar?.failure ?? zip?.failure ?? cause }

    init(_ file: consuming File, limit: UInt64) throws(UnpackingError) {
      switch ArchiveFormat(front: try Input.front(of: file)) {
      case .zip:
        tar = nil
        zip = try ZipFile(file)
        return
      case .gzip: tar = TarInput(try GzipBytes(file), limit: limit)
      case .xz, .zstd: tar = TarInput(try FilteredBytes(file), limit: limit)
      case .plain: tar = TarInput(PlainBytes(file), limit: limit)
      }
      zip = nil
    }

    private static func front(of file: borrowing File) throws(UnpackingError) -> [UInt8] {
      var isRegular = false
      do throws(Failure) {
        isRegular = try file.isRegular()
        guard isRegular else { throw Failure(.invalid, path: file.path) }
        var bytes = [UInt8](repeating: 0, count: ArchiveFormat.length)
        var span = bytes.mutableSpan
        var space = span.mutableBytes
        let count = try file.read(into: &space, at: 0)
        return Array(bytes[..<count])
      } catch { throw isRegular ? .file(error) : .unknownFormat }
    }

    /// libarchive's reader; nil if it is not an archive, or `failure`.
    func open() -> OpaquePointer? {
      guard let handle = archive_read_new() else {
        cause = .noMemory
        return nil
      }
      if isOpen(handle) { return handle }
      // What has neither a magic number nor a tar header is something else.
      if let zip { cause = UnpackingError(handle, path: zip.path) }
      archive_read_free(handle)
      return nil
    }

    private func isOpen(_ handle: OpaquePointer) -> Bool {
      if let zip { return zip.open(handle) }
      let onRead:
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeRawPointer?>?)
          -> la_ssize_t = { _, context, start in
            guard let context,
              let bytes = Unmanaged<TarInput>.fromOpaque(context).takeUnretainedValue().read()
            else {
              return -1
            }
            start?.pointee = bytes.baseAddress
            return bytes.count
          }
      guard let tar, archive_read_support_format_tar(handle) == ARCHIVE_OK else { return false }
      let context = Unmanaged.passUnretained(tar).toOpaque()
      return archive_read_open2(handle, context, nil, onRead, nil, nil) == ARCHIVE_OK
    }
  }
}
