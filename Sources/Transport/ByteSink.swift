package import Platform

/// Where a body goes.
package protocol ByteSink: ~Copyable {
  /// The bytes that are there already: a request asks only for what follows them.
  var count: UInt64 { get }

  /// Takes the next bytes.
  mutating func write(_ bytes: RawSpan) throws(SinkError)

  /// The server starts from the beginning: `count` is 0 from now on.
  mutating func restart() throws(SinkError)
}

/// Why a sink takes no more bytes.
package enum SinkError: Error, Equatable {
  case file(FileError)
  /// They are not what they must be; the sink knows why.
  case rejected
}

/// A sink in memory, for documents that are small by their nature.
package struct MemorySink: ByteSink {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package var count: UInt64 { UInt64(bytes.count) }

  package mutating func write(_ span: RawSpan) throws(SinkError) {
    bytes.append(contentsOf: span)
  }

  package mutating func restart() { bytes.removeAll() }
}

/// A sink at the end of a file.
package struct FileSink: ByteSink, ~Copyable {
  private let file: File
  package private(set) var count: UInt64

  /// Goes on behind what the file holds already.
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

  package mutating func restart() throws(SinkError) {
    do throws(FileError) {
      try file.truncate(to: 0)
      try file.seek(to: 0)
    } catch { throw .file(error) }
    count = 0
  }

  /// Returns when the bytes are on the medium.
  package func synchronize() throws(FileError) { try file.synchronize() }

  package consuming func close() throws(FileError) { try file.close() }
}
