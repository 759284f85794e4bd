/// The lines of a file, one at a time, in constant memory.
package struct LineReader: ~Copyable {
  private let file: File
  private let limit: Int
  private var buffer: Buffer
  private var unread: Range<Int> = 0..<0
  /// The number of the line that was read last, counted from 1.
  package private(set) var number = 0

  /// One line, without its line feed.
  package struct Line: Equatable {
    package let bytes: [UInt8]
    /// False if the file ends before the line does, or the line is longer than the limit.
    package let isWhole: Bool

    package var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// `limit`: the most bytes that a line may have; of a longer one the rest comes as further lines.
  package init(_ file: consuming File, limit: Int) {
    self.file = file
    self.limit = limit
    buffer = Buffer(count: 8 << 10)
  }

  package var path: String { file.path }

  /// The next line; nil at the end.
  package mutating func next() throws(Failure) -> Line? {
    var bytes: [UInt8] = []
    number += 1
    while true {
      if unread.isEmpty {
        unread = 0..<(try LineReader.fill(&buffer, from: file))
        if unread.isEmpty { return bytes.isEmpty ? nil : Line(bytes: bytes, isWhole: false) }
      }
      let byte = unsafe buffer.bytes.unsafeLoad(fromByteOffset: unread.lowerBound, as: UInt8.self)
      unread = unread.lowerBound + 1..<unread.upperBound
      if byte == 10 { return Line(bytes: bytes, isWhole: true) }
      guard bytes.count < limit else { return Line(bytes: bytes, isWhole: false) }
      bytes.append(byte)
    }
  }

  // Two parts of `self` at a time: the compiler keeps them apart only as arguments.
  private static func fill(_ buffer: inout Buffer, from file: borrowing File) throws(Failure) -> Int {
    var bytes = buffer.mutableBytes
    return try file.read(into: &bytes)
  }
}
