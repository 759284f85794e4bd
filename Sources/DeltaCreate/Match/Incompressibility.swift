/// Where the new file holds data that is already compressed.
///
/// Such bytes cost as much in the column of literals as in that of differences, so extending a copy over them pays for a
/// few equal ones. Others are cheap as literals, and a copy must save more.
struct Incompressibility {
  private let windows: [Bool]

  /// Examines the bytes of the new file.
  init(_ bytes: UnsafeBufferPointer<UInt8>, processors: Processors = .none) {
    let parts = Array(stride(from: 0, to: bytes.count, by: 256 * Incompressibility.window))
    windows = processors.map(parts) { part in
      var windows: [Bool] = []
      var counts = [Int](repeating: 0, count: 256)
      let end = min(part + 256 * Incompressibility.window, bytes.count)
      for start in stride(from: part, to: end, by: Incompressibility.window) {
        let window = bytes[start..<min(start + Incompressibility.window, end)]
        windows.append(
          Incompressibility.isIncompressible(UnsafeBufferPointer(rebasing: window), counts: &counts))
      }
      return windows
    }.flatMap { $0 }
  }

  subscript(index: Int) -> Bool { windows[index / Incompressibility.window] }

  /// The end of the window that contains the byte at `index`.
  static func end(of index: Int) -> Int { (index / window + 1) * window }

  /// Whether a window is; `counts` is room for 256 numbers.
  static func isIncompressible(_ window: UnsafeBufferPointer<UInt8>, counts: inout [Int]) -> Bool {
    for value in 0..<256 { counts[value] = 0 }
    for byte in window { counts[Int(byte)] += 1 }
    // The sum of squares is least when all values are equally frequent: n²/256, and about n more in random data.
    let size = window.count
    let squares = counts.reduce(0) { $0 + $1 * $1 }
    return squares - size < size * size / 128
  }

  /// The size of a window, in bytes.
  static var window: Int { 4096 }
}
