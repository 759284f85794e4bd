package import Platform

extension File {
  /// `read(into:upTo:)` with the error of this module.
  func bytes(into buffer: inout MutableRawSpan, upTo limit: UInt64 = .max) throws(CatalogError) -> Int {
    do throws(Failure) { return try read(into: &buffer, upTo: limit) } catch { throw .file(error) }
  }
}

/// The rest of a file, or its next `limit` bytes.
package struct FileSource: ByteSource, ~Copyable {
  private let file: File
  private var remaining: UInt64

  package init(_ file: consuming File, limit: UInt64 = .max) {
    self.file = file
    remaining = limit
  }

  package mutating func read(into buffer: inout MutableRawSpan) throws(CatalogError) -> Int {
    let count = try file.bytes(into: &buffer, upTo: remaining)
    remaining -= UInt64(count)
    return count
  }
}
