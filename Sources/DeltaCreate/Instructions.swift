internal import DeltaApply

/// What a section holds before it is compressed.
struct Section {
  /// How many bytes of the new file are complete before it.
  let completed: UInt64
  var bytes: [UInt8] = []
}

/// All that the device has to do, in the form of the format: operations as blocks, blocks as sections.
struct Instructions {
  private(set) var sections: [Section] = []
  private(set) var largestBlock = 1

  private let blockLimit: Int
  private let sectionLimit: Int
  private let sectionOutput: Int
  private let old: UnsafeBufferPointer<UInt8>
  private let new: UnsafeBufferPointer<UInt8>
  /// The bytes of the new file that are told.
  private var completed = 0

  // The section that is being written.
  private var section = Section(completed: 0)
  private var oldOffset = 0
  private var newOffset = 0
  private var earlierOldOffset = 0
  private var history = DecimalHistory()

  // The block that is being written.
  private var block = BlockWriter()
  private var blockStart = 0
  /// Extra bytes since the last operation.
  private var extraCount = 0
  /// Equal bytes since the last pair of runs.
  private var equal = 0

  /// Writes all of the new file; the operations are in its order.
  init(
    _ operations: [Operation], old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>,
    _ options: PatchMaker.Options
  ) {
    blockLimit = Int(options.blockSize) - BlockWriter.maximumHeader
    sectionLimit = options.sectionSize
    sectionOutput = options.sectionOutput
    self.old = old
    self.new = new
    for operation in operations {
      appendExtras(upTo: operation.new)
      append(operation)
    }
    appendExtras(upTo: new.count)
    endBlock()
    endSection()
  }

  private var room: Int { blockLimit - block.size }

  private mutating func appendExtras(upTo end: Int) {
    while completed < end {
      if room <= Instructions.largestOperation { endBlock() }
      let count = min(end - completed, room - Instructions.largestOperation)
      block.extras.append(contentsOf: new[completed..<completed + count])
      extraCount += count
      completed += count
    }
  }

  private mutating func append(_ operation: Operation) {
    switch operation.kind {
    case .old, .oldAgain: append(operation, differencesTo: old)
    case .new: append(operation, differencesTo: new)
    case .oldReversed(let unit), .newReversed(let unit): append(operation, unit: 8 * unit)
    case .numbers(let numbers): append(numbers, upTo: operation.end)
    }
  }

  // MARK: - Covers

  private mutating func append(_ operation: Operation, differencesTo base: UnsafeBufferPointer<UInt8>) {
    if room < 2 * Instructions.largestOperation { endBlock() }
    var begin = 0  // of the part that goes to this block
    var index = 0
    while index < operation.length {
      let left = sectionOutput - (completed - Int(section.completed)) - (index - begin)
      let fits = room - Instructions.largestOperation - Instructions.largestPair
      if left <= 0 || fits <= 0 {
        endCover(operation, begin..<index)
        endBlock()
        begin = index
        continue
      }
      let equalCount = equalRun(operation, index, atMost: min(left, operation.length - index), base)
      equal += equalCount
      index += equalCount
      let different = differentRun(
        operation, index, atMost: min(left - equalCount, fits, operation.length - index), base)
      guard different > 0 else { continue }
      Varint.append(UInt64(equal), to: &block.runs)
      Varint.append(UInt64(different), to: &block.runs)
      equal = 0
      for step in index..<index + different {
        block.differences.append(new[operation.new + step] &- base[operation.source + step])
      }
      index += different
    }
    endCover(operation, begin..<operation.length)
  }

  /// Writes the part of a cover that this block has.
  private mutating func endCover(_ operation: Operation, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let start = operation.source + range.lowerBound
    begin(operation.kind, from: start, count: range.count)
    if operation.kind == .old { oldOffset = start + range.count } else { newOffset = start + range.count }
    completed += range.count
  }

  /// Writes units that go backwards.
  private mutating func append(_ operation: Operation, unit: Int) {
    if room < 2 * Instructions.largestOperation { endBlock() }
    begin(operation.kind, from: operation.source, count: operation.length / unit)
    let end = operation.source + unit - operation.length
    if case .oldReversed = operation.kind { oldOffset = end } else { newOffset = end }
    completed += operation.length
  }

  private mutating func begin(_ kind: OperationKind, from source: Int, count: Int) {
    let step = Varint.folded(Int64(source - (kind.isOld ? oldOffset : newOffset)))
    let earlierStep = Varint.folded(Int64(source - earlierOldOffset))
    let isAgain = kind == .old && Varint.size(of: earlierStep) < Varint.size(of: step)
    block.kinds.append((isAgain ? .oldAgain : kind).byte)
    Varint.append(UInt64(extraCount), to: &block.covers)
    extraCount = 0
    Varint.append(isAgain ? earlierStep : step, to: &block.covers)
    Varint.append(UInt64(count), to: &block.covers)
    if kind.isOld { earlierOldOffset = oldOffset }
  }

  // MARK: - Numbers

  /// The base is chosen here, where it is known what the device will have.
  private mutating func append(_ numbers: OperationKind.Numbers, upTo end: Int) {
    var isFirst = true
    while completed < end {
      if room < 2 * Instructions.largestOperation { endBlock() }
      let fits = (room - Instructions.largestOperation) / Varint.maximumSize
      let count = min((end - completed) / 8, fits)
      let kind = isFirst ? cheapestBase(numbers, count) : numbers
      isFirst = false
      block.kinds.append(OperationKind.numbers(kind).byte)
      Varint.append(UInt64(extraCount), to: &block.covers)
      extraCount = 0
      Varint.append(UInt64(count), to: &block.covers)
      history = history(kind)
      for _ in 0..<count {
        let integer = Decimal.integer(double(endingAt: completed + 8), kind.decimals)
        Varint.append(Varint.folded(integer - history[kind.stride]), to: &block.numbers)
        history.append(integer)
        completed += 8
      }
    }
  }

  /// The base against which the first numbers are shortest.
  private func cheapestBase(_ numbers: OperationKind.Numbers, _ count: Int) -> OperationKind.Numbers {
    var best = (size: Int.max, numbers: numbers)
    for base in [OperationKind.Base.history, .output, .skipped] {
      let candidate = OperationKind.Numbers(decimals: numbers.decimals, stride: numbers.stride, base: base)
      var history = history(candidate)
      var bytes: [UInt8] = []
      for index in 0..<min(count, numbers.stride) {
        let integer = Decimal.integer(double(endingAt: completed + 8 * (index + 1)), numbers.decimals)
        Varint.append(Varint.folded(integer - history[numbers.stride]), to: &bytes)
        history.append(integer)
      }
      if bytes.count < best.size { best = (bytes.count, candidate) }
    }
    return best.numbers
  }

  /// The history as the device will have it for the first number.
  private func history(_ numbers: OperationKind.Numbers) -> DecimalHistory {
    var history = history
    switch numbers.base {
    case .history: break
    case .output:
      for distance in (0..<numbers.stride).reversed() {
        let double = double(endingAt: completed - 8 * distance, from: Int(section.completed))
        history.append(Decimal.integer(double, numbers.decimals))
      }
    case .skipped: history.append(history[numbers.stride])
    }
    return history
  }

  /// The double whose last byte stands before `end`; bytes before `begin` count as zeros.
  private func double(endingAt end: Int, from begin: Int = 0) -> Double {
    var bits: UInt64 = 0
    for index in min(max(begin, end - 8), end)..<end { bits |= UInt64(new[index]) << (8 * UInt64(index - (end - 8))) }
    return Double(bitPattern: bits)
  }

  // MARK: - Blocks and sections

  private mutating func endBlock() {
    if completed > blockStart {
      let bytes = block.encoded()
      largestBlock = max(largestBlock, bytes.count)
      Varint.append(UInt64(bytes.count), to: &section.bytes)
      section.bytes += bytes
    }
    block.removeAll()
    extraCount = 0
    equal = 0
    blockStart = completed
    if section.bytes.count >= sectionLimit || completed - Int(section.completed) >= sectionOutput {
      endSection()
    }
  }

  private mutating func endSection() {
    if !section.bytes.isEmpty { sections.append(section) }
    section = Section(completed: UInt64(completed))
    oldOffset = 0
    newOffset = 0
    earlierOldOffset = 0
    history = DecimalHistory()
  }

  private func equalRun(
    _ operation: Operation, _ index: Int, atMost limit: Int, _ base: UnsafeBufferPointer<UInt8>
  ) -> Int {
    guard let old = base.baseAddress, let new = new.baseAddress else { return 0 }
    return equalBytes(old + operation.source + index, new + operation.new + index, atMost: limit)
  }

  private func differentRun(
    _ operation: Operation, _ index: Int, atMost limit: Int, _ base: UnsafeBufferPointer<UInt8>
  ) -> Int {
    var count = 0
    while count < limit && base[operation.source + index + count] != new[operation.new + index + count] {
      count += 1
    }
    return count
  }

  /// The most bytes of one operation's kind and numbers, and of one pair of runs.
  private static var largestOperation: Int { 1 + 3 * Varint.maximumSize }
  private static var largestPair: Int { 2 * Varint.maximumSize }
}
