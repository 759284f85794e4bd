internal import Codec
package import Platform

/// What an `.xz` file unpacks to, in bounded memory.
package struct XZSource: ByteSource, ~Copyable {
  private let file: File
  private var decoder: XZDecoder
  private var input: Buffer
  private var unread: Range<Int> = 0..<0
  private var isAtEnd = false

  /// - `memory`: bytes that unpacking may take.
  package init(
    _ file: consuming File, memory: UInt64 = CatalogLimits.catalogMemory
  ) throws(CatalogError) {
    let path = file.path
    let decoder: XZDecoder
    do throws(CodecError) { decoder = try XZDecoder(memoryLimit: memory) } catch {
      throw .packed(path: path, error)
    }
    self.decoder = decoder
    self.file = file
    input = Buffer(count: 16 << 10)
  }

  package mutating func read(into buffer: inout MutableRawSpan) throws(CatalogError) -> Int {
    while !decoder.isFinished {
      if unread.isEmpty && !isAtEnd { try refill() }
      let counts: CodedBytes
      do throws(CodecError) {
        counts = try XZSource.decode(&decoder, from: input, in: unread, into: &buffer, isLast: isAtEnd)
      } catch { throw .packed(path: file.path, error) }
      unread = unread.lowerBound + counts.read..<unread.upperBound
      if counts.written > 0 { return counts.written }
    }
    // Exactly one stream: nothing may follow it.
    if unread.isEmpty { try refill() }
    guard unread.isEmpty else { throw .packed(path: file.path, .corrupt) }
    return 0
  }

  private mutating func refill() throws(CatalogError) {
    unread = 0..<(try XZSource.fill(&input, from: file))
    isAtEnd = unread.isEmpty
  }

  // Two parts of `self` at a time: the compiler keeps them apart only as arguments.
  private static func fill(_ input: inout Buffer, from file: borrowing File) throws(CatalogError) -> Int {
    var bytes = input.mutableBytes
    return try file.bytes(into: &bytes)
  }

  private static func decode(
    _ decoder: inout XZDecoder, from input: borrowing Buffer, in range: Range<Int>,
    into output: inout MutableRawSpan, isLast: Bool
  ) throws(CodecError) -> CodedBytes {
    try decoder.decode(input.bytes.extracting(range), into: &output, isLast: isLast)
  }
}
