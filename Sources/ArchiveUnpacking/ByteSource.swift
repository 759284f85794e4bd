internal import CArchive
internal import Codec
internal import Platform

/// The bytes of a tar archive, decompressed piece by piece.
protocol ByteSource: AnyObject {
  /// The next bytes, which stay until the next call; none at the end, which is reached only if nothing is wrong.
  func next() throws(UnpackingError) -> UnsafeRawBufferPointer
  /// Bytes that were read from the file.
  var position: UInt64 { get }
}

/// Memory for one piece.
private func piece() -> UnsafeMutableRawBufferPointer { .allocate(byteCount: 64 << 10, alignment: 16) }

/// Not compressed.
final class PlainBytes: ByteSource {
  private let file: File
  private let buffer = piece()
  private(set) var position: UInt64 = 0

  init(_ file: consuming File) { self.file = file }

  deinit { buffer.deallocate() }

  func next() throws(UnpackingError) -> UnsafeRawBufferPointer {
    do throws(Failure) {
      var space = unsafe MutableRawSpan(_unsafeBytes: buffer)
      let count = try file.read(into: &space)
      position += UInt64(count)
      return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    } catch { throw .file(error) }
  }
}

/// gzip (RFC 1952), by zlib: libarchive 3.6 does not compare its checksums.
final class GzipBytes: ByteSource {
  private let packed: PlainBytes
  private var input = UnsafeRawBufferPointer(start: nil, count: 0)
  private var inflater: Inflater
  /// Only zeros may follow.
  private var isPadded = false
  var position: UInt64 { packed.position }
  private let buffer = piece()

  init(_ file: consuming File) throws(UnpackingError) {
    packed = PlainBytes(file)
    do throws(CodecError) { inflater = try Inflater(.gzip) } catch { throw .noMemory }
  }

  deinit { buffer.deallocate() }

  /// Skips zeros after a member, which may only follow the last one.
  private func skipPadding() throws(UnpackingError) {
    while input.first == 0 || isPadded && !input.isEmpty {
      isPadded = true
      guard input.allSatisfy({ $0 == 0 }) else { throw .damaged(cause: "bytes after the gzip data") }
      input = try packed.next()
    }
  }

  func next() throws(UnpackingError) -> UnsafeRawBufferPointer {
    while true {
      if input.isEmpty { input = try packed.next() }
      if inflater.isFinished { try skipPadding() }
      if input.isEmpty {
        guard inflater.isFinished else { throw .damaged(cause: "truncated gzip data") }
        return input
      }
      do throws(CodecError) {
        // Several members are one file (RFC 1952, 2.2); anything else is not a header.
        if inflater.isFinished { try inflater.reset(.gzip) }
        var space = unsafe MutableRawSpan(_unsafeBytes: buffer)
        let counts = try inflater.inflate(unsafe RawSpan(_unsafeBytes: input), into: &space)
        input = UnsafeRawBufferPointer(rebasing: input[counts.read...])
        if counts.written > 0 { return UnsafeRawBufferPointer(rebasing: buffer[..<counts.written]) }
      } catch {
        throw error == .outOfMemory ? .noMemory : .damaged(cause: "damaged gzip data, or bytes after it")
      }
    }
  }
}

/// xz or zstd, by libarchive, which reports damage, an early end and bytes after the end.
final class FilteredBytes: ByteSource {
  /// Held open for libarchive.
  private let file: File
  private let handle: OpaquePointer
  private let buffer = piece()
  var position: UInt64 { UInt64(clamping: archive_filter_bytes(handle, -1)) }

  init(_ file: consuming File) throws(UnpackingError) {
    guard let handle = archive_read_new() else { throw .noMemory }
    self.handle = handle
    self.file = file
    var entry: OpaquePointer?
    guard archive_read_support_filter_xz(handle) == ARCHIVE_OK,
      archive_read_support_filter_zstd(handle) == ARCHIVE_OK,
      archive_read_support_format_raw(handle) == ARCHIVE_OK,
      archive_read_open_fd(handle, self.file.raw, buffer.count) == ARCHIVE_OK,
      archive_read_next_header(handle, &entry) == ARCHIVE_OK
    else { throw UnpackingError(handle, path: self.file.path) }
  }

  deinit {
    archive_read_free(handle)
    buffer.deallocate()
  }

  func next() throws(UnpackingError) -> UnsafeRawBufferPointer {
    let count = archive_read_data(handle, buffer.baseAddress, buffer.count)
    guard count >= 0 else { throw UnpackingError(handle, path: file.path) }
    return UnsafeRawBufferPointer(rebasing: buffer[..<count])
  }
}

extension UnpackingError {
  /// What libarchive says of its last call.
  init(_ handle: OpaquePointer, path: String) {
    let cause = archive_error_string(handle).map { String(platformString: $0) } ?? "no cause is known"
    // Its own errors are numbers below zero, or those that the C library has for bad formats.
    let code = archive_errno(handle)
    self =
      code == Errno.outOfMemory.code
      ? .noMemory
      : code == Errno.input.code || code == Errno.notAllowed.code
        ? .file(Failure(Errno(code: code), path: path)) : .damaged(cause: cause)
  }
}
