internal import PatchFormat

/// Finds decimal fractions in a file, at any offset.
///
/// It needs no knowledge of the format: a double in the range of coordinates that is the nearest one to a short decimal
/// fraction is hardly ever anything else.
struct NumberFinder {
  private let file: UnsafeRawBufferPointer
  private var runs: [NumberRun] = []

  /// All runs of a file, in its order; they do not overlap.
  static func runs(_ file: UnsafeBufferPointer<UInt8>) -> [NumberRun] {
    var finder = NumberFinder(file: UnsafeRawBufferPointer(file))
    var offset = 0
    while offset + 8 <= file.count {
      var (count, decimals) = (0, 0)
      while let digits = finder.digits(at: offset + 8 * count) {
        count += 1
        decimals = max(decimals, digits)
      }
      finder.add(offset, count: count, decimals: decimals)
      offset += count >= Tuning.NumberFinder.shortest ? 8 * count : 1
    }
    return finder.runs
  }

  private init(file: UnsafeRawBufferPointer) { self.file = file }

  /// Adds `count` numbers as runs, without the large ones that are not exact with that many digits.
  private mutating func add(_ start: Int, count: Int, decimals: Int) {
    var begin = start
    let end = start + 8 * count
    for offset in stride(from: start, through: end, by: 8)
    where offset == end || !isExact(offset, decimals: decimals) {
      let found = (offset - begin) / 8
      if found >= Tuning.NumberFinder.shortest {
        runs.append(
          NumberRun(
            start: begin, count: found, decimals: decimals,
            stride: nearest(begin, count: found, decimals: decimals)))
      }
      begin = offset + 8
    }
  }

  /// The double at an offset where the file has one.
  private func double(_ offset: Int) -> Double {
    Double(bitPattern: file.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
  }

  /// Whether the number is exact with that many digits.
  private func isExact(_ offset: Int, decimals: Int) -> Bool {
    let number = double(offset)
    return Decimal.double(Decimal.integer(number, decimals: decimals), decimals: decimals) == number
  }

  /// The stride with the smallest differences: how many numbers back the nearest one is.
  private func nearest(_ start: Int, count: Int, decimals: Int) -> Int {
    var sums = [0, 0, 0, 0]
    var history = NumberHistory()
    for index in 0..<min(count, Tuning.NumberFinder.sample) {
      let integer = Decimal.integer(double(start + 8 * index), decimals: decimals)
      if index >= 3 {
        for stride in 1...3 {
          sums[stride] += 64 - (integer - history[stride]).magnitude.leadingZeroBitCount
        }
      }
      history.append(integer)
    }
    return [2, 1, 3].min { sums[$0] < sums[$1] } ?? 2
  }

  /// Whether a double with this highest byte may be a coordinate: its magnitude is between 2^-15 and 2^32.
  static func mayBeCoordinate(_ byte: UInt8) -> Bool { (0x3f...0x41).contains(byte & 0x7f) }

  /// The digits after the point of the decimal fraction at an offset; nil if none is there.
  ///
  /// The limit on digits is such that at most one in 1,024 random doubles would pass.
  private func digits(at offset: Int) -> Int? {
    guard offset + 8 <= file.count, NumberFinder.mayBeCoordinate(file[offset + 7]) else { return nil }
    let double = double(offset)
    var decimals = Decimal.maximumDigits
    var scale = 1e9
    while abs(double) * scale > NumberFinder.largest {
      guard decimals > 0 else { return nil }
      decimals -= 1
      scale /= 10
    }
    var integer = Decimal.integer(double, decimals: decimals)
    guard integer != 0, Decimal.double(integer, decimals: decimals) == double else { return nil }
    while decimals > 0 && integer % 10 == 0 {
      integer /= 10
      decimals -= 1
    }
    return decimals
  }

  /// 2^43: a double has ten bits more.
  private static var largest: Double { 8_796_093_022_208 }
}
