package import Platform

/// A sink at the end of a file.
package struct FileSink: ByteSink, ~Copyable {
  private let file: File
  package private(set) var count: UInt64

  /// Continues after the bytes that the file has already.
  package init(_ file: consuming File) throws(FileError) {
    let size = try file.size()
    try file.seek(to: size)
    count = size
    self.file = file
  }

  package mutating func write(_ bytes: RawSpan) throws(SinkError) {
    do throws(FileError) { try file.write(bytes) } catch { throw .file(error) }
    count += UInt64(bytes.byteCount)
  }

  package mutating func reset() throws(SinkError) {
    do throws(FileError) {
      try file.truncate(to: 0)
      try file.seek(to: 0)
    } catch { throw .file(error) }
    count = 0
  }

  /// Returns when the bytes are durable.
  package func synchronize() throws(FileError) { try file.synchronize() }

  package consuming func close() throws(FileError) { try file.close() }
}
