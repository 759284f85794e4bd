/// Predicts the bits of bytes that were sorted by what follows them, and adapts to each bit.
///
/// In such bytes the same one often comes many times in a row, and else one of those that came shortly before. So a bit is
/// predicted by what followed the same bits in all bytes, in those after the same byte, and after the one before that; a
/// table refines the mean. After eight equal bytes, a single bit says whether the next one is equal too.
///
/// The constants and the table are those of bzip3 (K. Palaiologos), the bit for long runs is not: it saves a third of the
/// time. A probability is that of a 1, in parts of 2^16; everything is in integers, so every machine predicts the same.
///
/// Public for the reason that `Buffer` gives, and inlinable because what encodes with it is in another module.
public struct SymbolModel: ~Copyable {
  @usableFromInline let tables: UnsafeMutablePointer<UInt16>
  @usableFromInline var last = 0
  @usableFromInline var beforeLast = 0
  /// How many of the bytes before this one equal the one before them.
  @usableFromInline var run = 0
  /// The bits of the byte so far, after a 1; 0 if the next bit says whether the byte equals the last one.
  @usableFromInline var node = 1
  /// Whether this byte has ended a long run.
  @usableFromInline var isBreak = false
  // The entries that have predicted the bit: what followed the same bits in all bytes (those that end a long run apart) and
  // in those after the same byte, and the lower of the two between which their mean lies.
  @usableFromInline var general = 0
  @usableFromInline var after = 0
  @usableFromInline var refined = 0

  package init() {
    tables = .allocate(capacity: SymbolModel.entries)
    reset()
  }

  deinit { tables.deallocate() }

  /// The memory that a model takes, in bytes.
  package static var memoryNeeded: UInt64 { UInt64(2 * entries) }

  /// Forgets everything.
  package mutating func reset() {
    tables.initialize(repeating: 1 << 15, count: SymbolModel.refinements)
    for table in 0..<512 {
      for step in 0...16 {
        tables[SymbolModel.refinements + table * 17 + step] = UInt16(min(step << 12, 0xffff))
      }
    }
    (tables + SymbolModel.runs).initialize(repeating: 60000, count: SymbolModel.entries - SymbolModel.runs)
    startChunk()
  }

  /// Forgets the last bytes, but not what was learned.
  package mutating func startChunk() {
    last = 0
    beforeLast = 0
    run = 0
    node = 1
    isBreak = false
  }

  /// The probability of a 1 as the next bit: 16 to 65,520.
  ///
  /// `update` has to follow.
  @inlinable package mutating func predict() -> UInt32 {
    let value: Int
    if node == 0 {
      value = Int(tables[runEntry])
    } else {
      general = (isBreak ? SymbolModel.breaks : SymbolModel.orderZero) | node
      after = SymbolModel.orderOne + last << 8 | node
      let afterBefore = Int(tables[SymbolModel.orderOne + beforeLast << 8 | node])
      let mean = (7 * (Int(tables[general]) + Int(tables[after])) + 2 * afterBefore) >> 4
      refined = SymbolModel.refinements + (2 * node + (run > 2 ? 1 : 0)) * 17 + mean >> 12
      let low = Int(tables[refined])
      let high = Int(tables[refined + 1])
      value = (3 * (low + ((high - low) * (mean & 0xfff)) >> 12) + mean) >> 2
    }
    return UInt32(truncatingIfNeeded: min(max(value, 16), 0xfff0))
  }

  /// Adapts to the bit that was predicted; returns the byte if it is complete.
  @inlinable package mutating func update(_ bit: Bool) -> UInt8? {
    guard node > 0 else {
      adapt(runEntry, bit, 4)
      isBreak = !bit
      node = 1
      return bit ? complete(last) : nil
    }
    adapt(general, bit, 2)
    adapt(after, bit, 4)
    adapt(refined, bit, 6)
    adapt(refined + 1, bit, 6)
    node = node << 1 | (bit ? 1 : 0)
    return node < 256 ? nil : complete(node & 0xff)
  }

  /// The next bit of a byte.
  @inlinable package func bit(of byte: UInt8) -> Bool {
    guard node > 0 else { return Int(byte) == last }
    return byte >> UInt8(node.leadingZeroBitCount - (Int.bitWidth - 8)) & 1 == 1
  }

  @inlinable mutating func complete(_ byte: Int) -> UInt8 {
    run = byte == last ? run + 1 : 0
    beforeLast = last
    last = byte
    node = run >= SymbolModel.longRun ? 0 : 1
    isBreak = false
    return UInt8(truncatingIfNeeded: byte)
  }

  @inlinable func adapt(_ entry: Int, _ bit: Bool, _ rate: UInt16) {
    let value = tables[entry]
    tables[entry] = bit ? value + (0xffff - value) >> rate : value - value >> rate
  }

  // MARK: - Tables

  /// Runs of similar lengths share an entry.
  @inlinable var runEntry: Int {
    SymbolModel.runs + last << 4 + min(Int.bitWidth - 4 - run.leadingZeroBitCount, 15)
  }

  @inlinable static var longRun: Int { 8 }

  @inlinable static var orderOne: Int { 0 }
  @inlinable static var orderZero: Int { 1 << 16 }
  @inlinable static var breaks: Int { orderZero + 256 }
  @inlinable static var refinements: Int { breaks + 256 }
  @inlinable static var runs: Int { refinements + 512 * 17 }
  @inlinable static var entries: Int { runs + 256 * 16 }
}
