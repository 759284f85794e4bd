internal import Platform

/// The lines of a file, one at a time, in constant memory.
struct LineReader: ~Copyable {
  private let file: File
  private var buffer: Buffer
  private var unread: Range<Int> = 0..<0
  private(set) var number = 0

  init(_ file: consuming File) {
    self.file = file
    buffer = Buffer(count: 8 << 10)
  }

  var path: String { file.path }

  /// The next line without its line feed; nil at the end.
  ///
  /// A line that is too long or does not end is refused, so that a torn file never reads as a whole one.
  mutating func next(limit: Int) throws(StoreError) -> [UInt8]? {
    var line: [UInt8] = []
    number += 1
    while true {
      if unread.isEmpty {
        unread = 0..<(try LineReader.fill(&buffer, from: file))
        if unread.isEmpty {
          if line.isEmpty { return nil }
          throw .badManifest(path: file.path, line: number)
        }
      }
      let byte = unsafe buffer.bytes.unsafeLoad(fromByteOffset: unread.lowerBound, as: UInt8.self)
      unread = unread.lowerBound + 1..<unread.upperBound
      if byte == 10 { return line }
      guard line.count < limit else { throw .badManifest(path: file.path, line: number) }
      line.append(byte)
    }
  }

  private static func fill(_ buffer: inout Buffer, from file: borrowing File) throws(StoreError) -> Int {
    var bytes = buffer.mutableBytes
    do throws(FileError) { return try file.read(into: &bytes) } catch { throw .file(error) }
  }
}
