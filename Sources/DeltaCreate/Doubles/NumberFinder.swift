internal import PatchFormat

/// Finds decimal fractions in a file, at any offset.
///
/// It needs no knowledge of the format: a double in the range of coordinates that is the nearest one to a short decimal
/// fraction is hardly ever anything else.
struct NumberFinder {
  private let file: UnsafeRawBufferPointer

  /// All runs of a file, in its order; they do not overlap.
  static func runs(_ file: UnsafeBufferPointer<UInt8>) -> [NumberRun] {
    var runs: [NumberRun] = []
    NumberFinder(file).forEachRun { runs.append($0) }
    return runs
  }

  init(_ file: UnsafeBufferPointer<UInt8>) { self.file = UnsafeRawBufferPointer(file) }

  /// Calls `body` with every run, in the order of the file; runs do not overlap.
  func forEachRun(_ body: (NumberRun) -> Void) {
    var offset = 0
    let last = file.count - 8
    while offset <= last {
      guard NumberFinder.mayBeCoordinate(file[offset + 7]), NumberFinder.digits(double(offset)) != nil else {
        offset += 1
        continue
      }
      var digits: [UInt8] = []
      var end = offset
      while end <= last, NumberFinder.mayBeCoordinate(file[end + 7]),
        let count = NumberFinder.digits(double(end))
      {
        digits.append(UInt8(count))
        end += 8
      }
      guard digits.count >= Tuning.NumberFinder.shortest else {
        offset += 1
        continue
      }
      split(offset, digits: digits, body: body)
      offset = end
    }
  }

  private func double(_ offset: Int) -> Double {
    Double(bitPattern: file.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
  }

  /// Splits a run at numbers with many more digits than the others: each would make all others long.
  private func split(_ start: Int, digits: [UInt8], body: (NumberRun) -> Void) {
    var histogram = [Int](repeating: 0, count: Decimal.maximumDigits + 1)
    for count in digits { histogram[Int(count)] += 1 }
    var decimals = 0
    var within = histogram[0]
    while within * 10 < digits.count * 9 {
      decimals += 1
      within += histogram[decimals]
    }
    var index = 0
    while index < digits.count {
      guard digits[index] <= decimals, isExact(start + 8 * index, decimals: decimals) else {
        index += 1
        continue
      }
      let begin = index
      while index < digits.count && digits[index] <= decimals
        && isExact(start + 8 * index, decimals: decimals)
      {
        index += 1
      }
      guard index - begin >= Tuning.NumberFinder.shortest else { continue }
      let offset = start + 8 * begin
      let most = Int(digits[begin..<index].reduce(0, max))
      body(
        NumberRun(
          start: offset, count: index - begin, decimals: most,
          stride: stride(offset, count: index - begin, decimals: most)))
    }
  }

  /// Whether the number is exact with that many digits.
  private func isExact(_ offset: Int, decimals: Int) -> Bool {
    let number = double(offset)
    return Decimal.double(Decimal.integer(number, decimals: decimals), decimals: decimals) == number
  }

  /// The stride with the smallest differences.
  private func stride(_ start: Int, count: Int, decimals: Int) -> Int {
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

  /// The digits after the point of a decimal fraction; nil if the double is not one.
  ///
  /// The limit on digits is such that at most one in 1,024 random doubles would pass.
  private static func digits(_ double: Double) -> Int? {
    var decimals = Decimal.maximumDigits
    var scale = 1e9
    while abs(double) * scale > largest {
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
