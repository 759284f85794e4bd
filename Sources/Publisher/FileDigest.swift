internal import Crypto
internal import Platform

/// The size and digest of a sequence of bytes.
struct FileDigest: Equatable {
  let size: UInt64
  let digest: Digest

  private static var chunk: Int { 1 << 20 }

  /// The size and digest of `front` followed by the file at `path`.
  static func of(_ path: String, front: [UInt8] = []) throws(PublisherError) -> FileDigest {
    try read(path, prefix: front) { (_) throws(PublisherError) in }
  }

  /// Writes `front` and then the file at `path` to `output`.
  static func copy(
    _ path: String, front: [UInt8] = [], to output: borrowing File
  ) throws(PublisherError) -> FileDigest {
    try read(path, prefix: front) { (bytes) throws(PublisherError) in
      try onFile { () throws(Failure) in try output.write(bytes) }
    }
  }

  /// Calls `body` with `front` and then with the file at `path`, piece by piece.
  static func read(
    _ path: String, prefix front: [UInt8] = [], _ body: (RawSpan) throws(PublisherError) -> Void
  ) throws(PublisherError) -> FileDigest {
    let file = try onFile { () throws(Failure) in try File(opening: path) }
    file.readSequentially()
    var hasher = try hashing(path) { () throws(HasherError) in try Hasher() }
    try hashing(path) { () throws(HasherError) in try hasher.update(front.span.bytes) }
    try body(front.span.bytes)
    var size = UInt64(front.count)
    var buffer = Buffer(count: chunk)
    while true {
      let count = try onFile { () throws(Failure) in
        var space = buffer.mutableBytes
        return try file.read(into: &space)
      }
      if count == 0 { break }
      let bytes = buffer.bytes.extracting(0..<count)
      try hashing(path) { () throws(HasherError) in try hasher.update(bytes) }
      try body(bytes)
      size += UInt64(count)
    }
    let digest = try hashing(path) { () throws(HasherError) in try hasher.finish() }
    return FileDigest(size: size, digest: digest)
  }

  private static func hashing<Result: ~Copyable>(
    _ path: String, _ body: () throws(HasherError) -> Result
  ) throws(PublisherError) -> Result {
    do throws(HasherError) { return try body() } catch { throw .library(.hashing(path: path)) }
  }
}
