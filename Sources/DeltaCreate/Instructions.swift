internal import Codec
internal import PatchFormat

/// What a section holds before it is compressed.
struct Section {
  /// How many bytes of the new file are complete before it.
  let completed: UInt64
  var bytes: [UInt8] = []
}

/// All that the device has to do, in the form of the format: operations as blocks, blocks as sections.
struct Instructions {
  /// Those that are complete and not handed over yet.
  private var sections: [Section] = []
  private(set) var largestBlock = 1
  /// The largest content of a stream, old or new; 0: there is no stream.
  private(set) var largestContent = 0

  private let blockLimit: Int
  private let sectionLimit: Int
  private let sectionOutput: Int
  /// What operations refer to: the files, or the contents of a stream.
  private var old: UnsafeBufferPointer<UInt8>
  private var new: UnsafeBufferPointer<UInt8>
  /// The bytes of `new` that are told.
  private var completed = 0
  private var cursors = Cursors()
  private var history = NumberHistory()
  private var place = FilePlace()
  private var isInStream = false

  // The section that is being written.
  private var section = Section(completed: 0)
  private var sectionStart = 0
  /// Where the last old stream ended.
  private var sourceEnd = 0

  // The block that is being written.
  private var block = BlockWriter()
  /// Extra bytes since the last operation.
  private var extraCount = 0
  /// Equal bytes since the last pair of runs.
  private var equal = 0
  /// The bytes that were told before the block began, or the last stream ended.
  private var mark = 0

  /// Where operations have ended.
  private struct Cursors {
    var old = 0
    var earlierOld = 0
    var new = 0
  }

  /// Writes all of the new file, and hands each section over when it is complete.
  init(
    _ script: PatchScript, _ options: PatchMaker.Options, _ take: (Section) throws(DeltaCreateError) -> Void
  ) throws(DeltaCreateError) {
    blockLimit = Int(options.blockSize) - BlockLayout.maximumHeader
    sectionLimit = options.sectionSize
    sectionOutput = options.sectionOutput
    old = script.old
    new = script.new
    var contents = try script.contents()
    var streams = script.streams[...]
    for operation in script.operations {
      try appendExtras(upTo: min(operation.new, streams.first?.offset ?? .max), take)
      var begin = operation.new
      while let stream = streams.first, stream.offset < operation.end {
        append(operation.part(begin..<max(begin, stream.offset)))
        begin = max(begin, stream.offset)
        try append(stream, &contents)
        streams.removeFirst()
      }
      append(operation.part(begin..<operation.end))
      try handOver(take)
    }
    for stream in streams {
      try append(stream, &contents)
      try handOver(take)
    }
    try appendExtras(upTo: new.count, take)
    endBlock()
    endSection()
    try handOver(take)
  }

  private mutating func handOver(
    _ take: (Section) throws(DeltaCreateError) -> Void
  ) throws(DeltaCreateError) {
    for section in sections { try take(section) }
    sections.removeAll()
  }

  /// Writes extra bytes, however many, without holding all of them.
  private mutating func appendExtras(
    upTo end: Int, _ take: (Section) throws(DeltaCreateError) -> Void
  ) throws(DeltaCreateError) {
    while completed < end {
      appendExtras(upTo: min(end, completed + sectionLimit))
      try handOver(take)
    }
  }

  // MARK: - Streams

  private mutating func append(
    _ stream: StreamScript, _ contents: inout PatchScript.Contents
  ) throws(DeltaCreateError) {
    appendExtras(upTo: stream.offset)
    // At least a byte of the content has to be in the same block.
    if room < targetBytes(stream).count + 4 * Instructions.largestOperation { endBlock() }
    Varint.append(UInt64(completed - mark), to: &block.targets)
    // They are not those of before if a section has ended with the block.
    block.targets += targetBytes(stream)
    sourceEnd = stream.source?.extents.last?.upperBound ?? sourceEnd
    place.claim(stream.target.extents)
    let source =
      try stream.source.map { (source) throws(DeltaCreateError) in try contents.old.content(of: source) }
      ?? []
    let content = try contents.new.content(of: stream.target)
    largestContent = max(largestContent, source.count, content.count)
    source.withUnsafeBufferPointer { source in
      content.withUnsafeBufferPointer { content in appendContent(source, content, stream.operations) }
    }
    mark = completed
  }

  private mutating func appendContent(
    _ source: UnsafeBufferPointer<UInt8>, _ content: UnsafeBufferPointer<UInt8>, _ operations: [Operation]
  ) {
    let outside = (old, new, completed, cursors)
    (old, new, completed, cursors) = (source, content, 0, Cursors())
    isInStream = true
    for operation in operations { append(operation) }
    appendExtras(upTo: content.count)
    isInStream = false
    (old, new, completed, cursors) = outside
  }

  /// What a block says of a stream, without the bytes before it.
  private func targetBytes(_ stream: StreamScript) -> [UInt8] {
    guard let parameters = stream.target.parameters else { return [] }  // not reached: it was chosen for them
    var bytes = parameters.encoded()
    Varint.append(UInt64(stream.target.contentSize), to: &bytes)
    Varint.append(UInt64(stream.target.extents.count), to: &bytes)
    var end = stream.target.begin
    for extent in stream.target.extents {
      Varint.append(Varint.zigzag(Int64(extent.lowerBound - end)), to: &bytes)
      Varint.append(UInt64(extent.count), to: &bytes)
      end = extent.upperBound
    }
    Varint.append(UInt64(stream.source?.extents.count ?? 0), to: &bytes)
    guard let source = stream.source else { return bytes }
    bytes.append(source.wrapper.rawValue)
    end = sourceEnd
    for extent in source.extents {
      Varint.append(Varint.zigzag(Int64(extent.lowerBound - end)), to: &bytes)
      Varint.append(UInt64(extent.count), to: &bytes)
      end = extent.upperBound
    }
    return bytes
  }

  // MARK: - Extras

  /// Counts bytes that are told.
  private mutating func complete(_ count: Int) {
    completed += count
    if !isInStream { place.advance(by: count) }
  }

  private var room: Int { blockLimit - block.size }

  private mutating func appendExtras(upTo end: Int) {
    while completed < end {
      if room <= Instructions.largestOperation { endBlock() }
      let count = min(end - completed, room - Instructions.largestOperation)
      block.extras.append(contentsOf: new[completed..<completed + count])
      extraCount += count
      complete(count)
    }
  }

  /// Writes an operation, and the extra bytes before it.
  private mutating func append(_ operation: Operation) {
    guard operation.length > 0 else { return }
    appendExtras(upTo: operation.new)
    switch operation.kind {
    case .copyOld, .resumeOld: append(operation, differencesTo: old)
    case .copyNew: append(operation, differencesTo: new)
    case .copyOldReversed(let unit), .copyNewReversed(let unit): append(operation, unit: 8 * unit)
    case .numbers(let numbers): append(numbers, upTo: operation.end)
    }
  }

  // MARK: - Covers

  private mutating func append(_ operation: Operation, differencesTo base: UnsafeBufferPointer<UInt8>) {
    if room < 2 * Instructions.largestOperation { endBlock() }
    var begin = 0  // of the part that goes to this block
    var index = 0
    while index < operation.length {
      let left = outputLeft - (index - begin)
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
    set(operation.kind, end: start + range.count)
    complete(range.count)
  }

  /// Writes units that go backwards.
  private mutating func append(_ operation: Operation, unit: Int) {
    if room < 2 * Instructions.largestOperation { endBlock() }
    begin(operation.kind, from: operation.source, count: operation.length / unit)
    set(operation.kind, end: operation.source + unit - operation.length)
    complete(operation.length)
  }

  private mutating func set(_ kind: PatchOperation, end: Int) {
    if (kind.source == .old) { cursors.old = end } else { cursors.new = end }
  }

  private mutating func begin(_ kind: PatchOperation, from source: Int, count: Int) {
    let step = Varint.zigzag(Int64(source - ((kind.source == .old) ? cursors.old : cursors.new)))
    let earlierStep = Varint.zigzag(Int64(source - cursors.earlierOld))
    let isAgain = kind == .copyOld && Varint.size(of: earlierStep) < Varint.size(of: step)
    block.kinds.append((isAgain ? .resumeOld : kind).byte)
    Varint.append(UInt64(extraCount), to: &block.covers)
    extraCount = 0
    Varint.append(isAgain ? earlierStep : step, to: &block.covers)
    Varint.append(UInt64(count), to: &block.covers)
    if (kind.source == .old) { cursors.earlierOld = cursors.old }
  }

  // MARK: - Numbers

  /// The base is chosen here, where it is known what the device will have.
  private mutating func append(_ numbers: NumberCoding, upTo end: Int) {
    var isFirst = true
    while completed < end {
      if room < 2 * Instructions.largestOperation { endBlock() }
      let fits = (room - Instructions.largestOperation) / Varint.maximumSize
      let count = min((end - completed) / 8, fits)
      let kind = isFirst ? cheapestBase(numbers, count) : numbers
      isFirst = false
      block.kinds.append(PatchOperation.numbers(kind).byte)
      Varint.append(UInt64(extraCount), to: &block.covers)
      extraCount = 0
      Varint.append(UInt64(count), to: &block.covers)
      history = history(kind)
      for _ in 0..<count {
        let integer = Decimal.integer(double(endingAt: completed + 8), kind.decimals)
        Varint.append(Varint.zigzag(integer - history[kind.stride]), to: &block.numbers)
        history.append(integer)
        complete(8)
      }
    }
  }

  /// The base against which the first numbers are shortest.
  private func cheapestBase(_ numbers: NumberCoding, _ count: Int) -> NumberCoding {
    var best = (size: Int.max, numbers: numbers)
    for base in [NumberCoding.Base.history, .output, .skipped] {
      let candidate = NumberCoding(decimals: numbers.decimals, stride: numbers.stride, base: base)
      var history = history(candidate)
      var bytes: [UInt8] = []
      for index in 0..<min(count, numbers.stride) {
        let integer = Decimal.integer(double(endingAt: completed + 8 * (index + 1)), numbers.decimals)
        Varint.append(Varint.zigzag(integer - history[numbers.stride]), to: &bytes)
        history.append(integer)
      }
      if bytes.count < best.size { best = (bytes.count, candidate) }
    }
    return best.numbers
  }

  /// The history as the device will have it for the first number.
  private func history(_ numbers: NumberCoding) -> NumberHistory {
    var history = history
    switch numbers.base {
    case .history: break
    case .output:
      for distance in (0..<numbers.stride).reversed() {
        let double = double(endingAt: completed - 8 * distance, from: sectionStart)
        history.append(Decimal.integer(double, numbers.decimals))
      }
    case .skipped: history.append(history[numbers.stride])
    }
    return history
  }

  /// The double whose last byte stands before `end`; bytes before `begin` count as zeros.
  private func double(endingAt end: Int, from begin: Int = 0) -> Double {
    var bits: UInt64 = 0
    for index in min(max(begin, end - 8), end)..<end {
      bits |= UInt64(new[index]) << (8 * UInt64(index - (end - 8)))
    }
    return Double(bitPattern: bits)
  }

  // MARK: - Blocks and sections

  private mutating func endBlock() {
    if block.size > 0 {
      let bytes = block.encoded()
      largestBlock = max(largestBlock, bytes.count)
      Varint.append(UInt64(bytes.count), to: &section.bytes)
      section.bytes += bytes
    }
    block.removeAll()
    extraCount = 0
    equal = 0
    if !isInStream { mark = completed }
    if canEndSection && (section.bytes.count >= sectionLimit || outputLeft <= 0) { endSection() }
  }

  /// A restart point leaves nothing open.
  private var canEndSection: Bool { !isInStream && place.isClear }

  /// The bytes of the new file after which the section should end.
  private var outputLeft: Int { canEndSection ? sectionOutput - (completed - sectionStart) : .max }

  private mutating func endSection() {
    if !section.bytes.isEmpty { sections.append(section) }
    section = Section(completed: UInt64(place.offset))
    sectionStart = completed
    cursors = Cursors()
    sourceEnd = 0
    history = NumberHistory()
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
