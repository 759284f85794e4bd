package import Crypto
package import Platform

/// Reads a stored container piece by piece.
package struct ContainerReader: ~Copyable {
  private let file: File
  private var buffer = Buffer(count: 64 << 10)
  private var offset: UInt64
  private let end: UInt64
  private var count = 0

  /// - `size`: of the container; a file that is shorter ends sooner.
  /// - `offset`: where reading begins, in bytes.
  package init(
    _ head: Digest, size: UInt64, from offset: UInt64, in staging: borrowing Staging
  ) throws(Failure) {
    file = try staging.openContainer(head)
    self.offset = offset
    end = size
  }

  /// Reads the next piece; false after the last one.
  package mutating func next() throws(Failure) -> Bool {
    offset += UInt64(count)
    let read = try ContainerReader.fill(&buffer, from: file, at: offset)
    count = Int(min(UInt64(read), end - min(offset, end)))
    return count > 0
  }

  /// The piece that was read last.
  package var bytes: RawSpan {
    @_lifetime(borrow self)
    get { buffer.bytes.extracting(first: count) }
  }

  // Two parts of `self` at a time: the compiler keeps them apart only as arguments.
  private static func fill(
    _ buffer: inout Buffer, from file: borrowing File, at offset: UInt64
  ) throws(Failure) -> Int {
    var bytes = buffer.mutableBytes
    return try file.readTwice(into: &bytes, at: offset)
  }
}
