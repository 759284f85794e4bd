internal import PatchFormat

/// Encodes runs of decimal fractions.
struct NumberEncoder {
  private let new: UnsafeBufferPointer<UInt8>

  init(_ new: UnsafeBufferPointer<UInt8>) { self.new = new }

  /// Appends the numbers up to `end`, in as many operations as blocks need.
  ///
  /// The base is chosen here, where it is known what the device will have.
  func append(_ coding: NumberCoding, upTo end: Int, to cutter: inout SectionCutter) {
    var isFirst = true
    while cutter.completed < end {
      cutter.makeRoom(for: 2 * BlockWriter.largestOperation)
      let fits = (cutter.room - BlockWriter.largestOperation) / Varint.maximumSize
      let count = min((end - cutter.completed) / 8, fits)
      let coding = isFirst ? cheapestBase(coding, count: count, cutter: cutter) : coding
      isFirst = false
      cutter.block.append(.numbers(coding), delta: nil, count: count)
      cutter.state.numbers.begin(coding, output: output(cutter))
      for _ in 0..<count {
        let integer = Decimal.integer(double(endingAt: cutter.completed + 8), decimals: coding.decimals)
        cutter.block.append(number: integer, stride: coding.stride, after: &cutter.state.numbers)
        cutter.complete(8)
      }
    }
  }

  /// The base with which the first numbers are shortest.
  private func cheapestBase(_ coding: NumberCoding, count: Int, cutter: SectionCutter) -> NumberCoding {
    var best = (size: Int.max, coding: coding)
    for base in [NumberCoding.Base.history, .output, .skipped] {
      let candidate = NumberCoding(decimals: coding.decimals, stride: coding.stride, base: base)
      var history = cutter.state.numbers
      history.begin(candidate, output: output(cutter))
      var size = 0
      for index in 0..<min(count, coding.stride) {
        let integer = Decimal.integer(
          double(endingAt: cutter.completed + 8 * (index + 1)), decimals: coding.decimals)
        size += Varint.size(of: history.encode(integer, stride: coding.stride))
      }
      if size < best.size { best = (size, candidate) }
    }
    return best.coding
  }

  /// The doubles that end 0, 1 and 2 doubles before the end of the output, as far as the section has them.
  private func output(_ cutter: SectionCutter) -> [3 of Double] {
    var output = [3 of Double](repeating: 0)
    for distance in 0..<3 {
      output[distance] = double(endingAt: cutter.completed - 8 * distance, from: cutter.sectionStart)
    }
    return output
  }

  /// The double whose last byte precedes `end`; bytes before `begin` count as zeros.
  private func double(endingAt end: Int, from begin: Int = 0) -> Double {
    var bits: UInt64 = 0
    for index in min(max(begin, end - 8), end)..<end {
      bits |= UInt64(new[index]) << (8 * UInt64(index - (end - 8)))
    }
    return Double(bitPattern: bits)
  }
}
