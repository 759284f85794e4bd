/// What each byte of the new file would cost as a literal, in eighths of a bit.
struct LiteralCosts {
  private var costs: [UInt8]

  /// Before anything is learned: bytes that are already compressed cost all of their bits, others half of them.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    costs = [UInt8](repeating: 32, count: bytes.count)
    for start in stride(from: 0, to: bytes.count, by: Noise.window) {
      let window = start..<min(start + Noise.window, bytes.count)
      if Noise.isIncompressible(UnsafeBufferPointer(rebasing: bytes[window])) { set(window, to: 64) }
    }
  }

  /// Estimates what the bytes cost after the literals of a script.
  ///
  /// Only literals are learned from, because the compressor sees nothing else. Text that they repeat costs next to
  /// nothing, noise costs all of its bits, and text that is rare among them costs more than in the whole file.
  ///
  /// The bytes are predicted by what followed the last six, then the last three; what neither knows is counted as it
  /// follows the last byte. How often a prediction is right is learned as well. (PPM and LZP, simplified: C. Bloom,
  /// "LZP: a new data compression algorithm", DCC 1996.)
  ///
  /// - `bytes`: those that the costs are of.
  /// - `unchanged`: left as they are, and not learned from.
  mutating func learn(
    from operations: [ScriptOperation], of bytes: UnsafeBufferPointer<UInt8>,
    without unchanged: UnchangedRanges = UnchangedRanges()
  ) {
    costs.withUnsafeMutableBufferPointer { costs in
      var learning = LiteralLearning(bytes, without: unchanged, into: costs)
      for operation in operations {
        learning.advance(to: operation.new, learning: true)
        learning.advance(to: operation.end, learning: false)
      }
      learning.advance(to: bytes.count, learning: true)
    }
  }

  /// Sets what each byte of `range` costs, in eighths of a bit.
  mutating func set(_ range: Range<Int>, to cost: UInt8) {
    for index in range { costs[index] = cost }
  }

  /// The cost of `range`.
  func sum(_ range: Range<Int>) -> Int {
    costs.withUnsafeBufferPointer { costs in
      var sum = 0
      for offset in range { sum += Int(costs[offset]) }
      return sum
    }
  }
}

/// Goes through a new file, and writes what its bytes cost, but for what is unchanged.
private struct LiteralLearning: ~Copyable {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let costs: UnsafeMutableBufferPointer<UInt8>
  private var unchanged: UnchangedCursor
  private var offset = 0
  private var model = LiteralModel()

  init(
    _ bytes: UnsafeBufferPointer<UInt8>, without unchanged: UnchangedRanges,
    into costs: UnsafeMutableBufferPointer<UInt8>
  ) {
    self.bytes = bytes
    self.costs = costs
    self.unchanged = UnchangedCursor(unchanged)
  }

  /// - `learning`: whether the bytes up to `end` are literals.
  mutating func advance(to end: Int, learning: Bool) {
    while offset < end {
      let range = unchanged.range(from: offset)
      if let range, range.contains(offset) {
        offset = min(end, range.upperBound)
        model.skip(to: offset, of: bytes)
      } else {
        let next = min(end, range?.lowerBound ?? end)
        for index in offset..<next { costs[index] = model.cost(of: bytes[index], learning: learning) }
        offset = next
      }
    }
  }
}

/// Predicts bytes one after the other.
private struct LiteralModel: ~Copyable {
  private var long = Predictions(bits: 20, context: 6)
  private var short = Predictions(bits: 16, context: 3)
  /// How often each byte followed each other one, scaled down now and then.
  private let counts = UnsafeMutablePointer<UInt16>.zeros(256 * 256)
  private let totals = UnsafeMutablePointer<UInt16>.zeros(256)
  /// The last eight bytes.
  private var last: UInt64 = 0
  private let costs = Chance.costs()

  deinit {
    counts.deallocate()
    totals.deallocate()
  }

  /// Continues at `offset`, after the bytes before it.
  mutating func skip(to offset: Int, of bytes: UnsafeBufferPointer<UInt8>) {
    last = 0
    for index in max(0, offset - 8)..<offset { last = last << 8 | UInt64(bytes[index]) }
  }

  /// The cost of the next byte, in eighths of a bit.
  mutating func cost(of byte: UInt8, learning: Bool) -> UInt8 {
    var cost = 0
    var isPredicted = false
    if let hit = long.predict(byte, after: last, learning: learning) {
      cost += Int(costs[hit.chance])
      isPredicted = hit.isRight
    }
    if !isPredicted, let hit = short.predict(byte, after: last, learning: learning) {
      cost += Int(costs[hit.chance])
      isPredicted = hit.isRight
    }
    let row = Int(last & 0xff)
    let slot = row << 8 | Int(byte)
    if !isPredicted {
      // Each of the 256 values counts one half from the start.
      let chance = (2 * Int(counts[slot]) + 1) * Chance.one / (2 * Int(totals[row]) + 256)
      cost += Int(costs[max(chance, 1)])
    }
    if learning {
      long.update(byte, after: last)
      short.update(byte, after: last)
      count(slot, row: row)
    }
    last = last << 8 | UInt64(byte)
    return UInt8(min(cost, 255))
  }

  private mutating func count(_ slot: Int, row: Int) {
    counts[slot] += 4
    totals[row] += 4
    guard totals[row] > 4000 else { return }
    var total: UInt16 = 0
    for index in row << 8..<(row + 1) << 8 {
      counts[index] /= 2
      total += counts[index]
    }
    totals[row] = total
  }
}

/// What followed each context the last time, and how sure that is.
private struct Predictions: ~Copyable {
  /// A predicted byte, and how often in a row it was right, at most 15 times; 0: free.
  private let slots: UnsafeMutablePointer<(byte: UInt8, streak: UInt8)>
  /// How often a prediction was right, for each streak, as a chance.
  private var chances = [16 of Int](repeating: Chance.one / 2)
  private let shift: UInt64
  private let context: UInt64

  init(bits: UInt64, context: Int) {
    slots = .allocate(capacity: 1 << Int(bits))
    slots.initialize(repeating: (0, 0), count: 1 << Int(bits))
    shift = 64 - bits
    self.context = 64 - 8 * UInt64(context)
  }

  deinit { slots.deallocate() }

  private func slot(_ last: UInt64) -> Int { Int((last << context &* 0x9e37_79b9_7f4a_7c15) >> shift) }

  /// Whether the next byte is the predicted one, and the chance of that; nil without a prediction.
  mutating func predict(
    _ byte: UInt8, after last: UInt64, learning: Bool
  ) -> (isRight: Bool, chance: Int)? {
    let (predicted, streak) = slots[slot(last)]
    guard streak > 0 else { return nil }
    let chance = chances[Int(streak)]
    let isRight = predicted == byte
    if learning { chances[Int(streak)] += isRight ? (Chance.one - chance) >> 5 : -(chance >> 5) }
    return (isRight, max(isRight ? chance : Chance.one - chance, 1))
  }

  mutating func update(_ byte: UInt8, after last: UInt64) {
    let slot = slot(last)
    if slots[slot].byte == byte {
      slots[slot].streak = min(slots[slot].streak + 1, 15)
    } else if slots[slot].streak > 1 {
      slots[slot].streak /= 2
    } else {
      slots[slot] = (byte, 1)
    }
  }
}

extension UnsafeMutablePointer<UInt16> {
  fileprivate static func zeros(_ count: Int) -> Self {
    let zeros = allocate(capacity: count)
    zeros.initialize(repeating: 0, count: count)
    return zeros
  }
}
