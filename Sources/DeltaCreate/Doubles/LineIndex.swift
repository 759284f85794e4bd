/// Where pairs of points are in a file, to find lines that occur again, in either direction.
///
/// A point is two doubles. The index keeps the last two offsets of each pair: its memory depends on the count of numbers.
struct LineIndex {
  /// Nil for an empty file, which has no numbers.
  private let base: UnsafeRawPointer?
  private var offsets: OffsetTable

  /// For that many numbers of a file that outlives the index.
  init(_ file: UnsafeBufferPointer<UInt8>, numbers: Int) {
    base = UnsafeRawPointer(file.baseAddress)
    offsets = OffsetTable(expected: numbers)
  }

  static func count(_ runs: [NumberRun]) -> Int { runs.reduce(0) { $0 + $1.count } }

  /// Adds each pair of points between these offsets; returns where the next one would begin.
  @discardableResult
  mutating func insert(from start: Int, to end: Int) -> Int {
    var offset = start
    while offset + 32 <= end {
      insert(offset)
      offset += 8
    }
    return offset
  }

  /// Adds the two points that begin at `offset`.
  private mutating func insert(_ offset: Int) {
    guard let base else { return }
    let (first, second) = (LineIndex.load(base, at: offset), LineIndex.load(base, at: offset + 16))
    offsets.insert(offset, hash: LineIndex.hash(first, second))
  }

  /// Calls `body` with the offsets where these two points may be; the caller compares them.
  func forEachOffset(of first: Point, _ second: Point, _ body: (Int) -> Void) {
    offsets.forEachOffset(hash: LineIndex.hash(first, second), body)
  }

  struct Point: Equatable {
    let x: UInt64
    let y: UInt64
  }

  static func load(_ base: UnsafeRawPointer, at offset: Int) -> Point {
    Point(
      x: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
      y: base.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
  }

  private static func hash(_ first: Point, _ second: Point) -> UInt64 {
    var hash = first.x &* 0x9e37_79b9_7f4a_7c15
    for word in [first.y, second.x, second.y] {
      hash = (hash ^ hash >> 29 ^ word) &* 0xbf58_476d_1ce4_e5b9
    }
    return hash
  }
}
