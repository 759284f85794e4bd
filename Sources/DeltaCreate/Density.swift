/// Where the new file holds data that is compressed already.
///
/// Such bytes cost as much among the extras as among the differences, so a cover may be extended over them for a
/// few equal ones. Others are cheap as extras, and a cover must give more.
struct Density {
  private let dense: [Bool]

  /// Judges the bytes of the new file.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var dense: [Bool] = []
    dense.reserveCapacity(bytes.count / Density.stretch + 1)
    var counts = [Int](repeating: 0, count: 256)
    for start in stride(from: 0, to: bytes.count, by: Density.stretch) {
      let end = min(start + Density.stretch, bytes.count)
      for value in 0..<256 { counts[value] = 0 }
      for index in start..<end { counts[Int(bytes[index])] += 1 }
      // The sum of squares is least when all values are equally frequent: n²/256, and about n more by chance.
      let size = end - start
      let squares = counts.reduce(0) { $0 + $1 * $1 }
      dense.append(squares - size < size * size / 128)
    }
    self.dense = dense
  }

  subscript(index: Int) -> Bool { dense[index / Density.stretch] }

  /// Where the stretch ends that is judged together with the byte at `index`.
  static func end(of index: Int) -> Int { (index / stretch + 1) * stretch }

  /// Bytes that are judged together.
  private static var stretch: Int { 4096 }
}
