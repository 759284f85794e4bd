package import Platform

/// A sink at the end of a file.
package struct FileSink: ByteSink, ~Copyable {
  private let file: File
  package private(set) var count: UInt64

  /// Continues after the bytes that the file has already.
  package init(_ file: consuming File) throws(Failure) {
    let size = try file.size()
    try file.seek(to: size)
    count = size
    self.file = file
  }

  package mutating func write(_ bytes: RawSpan) throws(Failure) {
    try file.write(bytes)
    count += UInt64(bytes.byteCount)
  }

  package mutating func reset() throws(Failure) {
    try file.truncate(to: 0)
    try file.seek(to: 0)
    count = 0
  }

  /// Returns when the bytes are durable.
  package func synchronize() throws(Failure) { try file.synchronize() }

  package consuming func close() throws(Failure) { try file.close() }
}
