/// Executes blocks: makes the bytes of the new file that each of them describes.
struct BlockRunner: ~Copyable {
  private let oldSize: UInt64
  private let newSize: UInt64
  private var old = SourceWindow(capacity: PatchLimits.window)
  private var new = SourceWindow(capacity: PatchLimits.newWindow)
  private var output: OutputBuffer
  /// Where the last operation ended in the old file, and in the new one.
  private var oldOffset: UInt64 = 0
  private var newOffset: UInt64 = 0
  /// Where the operation before that ended in the old file.
  private var earlierOldOffset: UInt64 = 0
  private var history = DecimalHistory()

  init(_ head: PatchHead, completed: UInt64) {
    oldSize = head.oldSize
    newSize = head.newSize
    output = OutputBuffer(capacity: PatchLimits.output, position: completed)
  }

  /// The bytes of the new file so far.
  var completed: UInt64 { output.position }

  /// Forgets what earlier blocks left behind, as a restart point asks for.
  mutating func startSection() {
    oldOffset = 0
    newOffset = 0
    earlierOldOffset = 0
    history = DecimalHistory()
    output.startSection()
  }

  /// Writes what was made so far.
  mutating func endSection<Files: PatchFiles & ~Copyable>(_ files: inout Files) throws(DeltaError) {
    try output.flush(&files)
  }

  /// Executes a whole block.
  mutating func run<Files: PatchFiles & ~Copyable>(
    _ assembly: borrowing BlockAssembly, _ files: inout Files
  ) throws(DeltaError) {
    let begin = completed
    let block = assembly.bytes
    guard var streams = BlockStreams(parsing: block) else { throw .badBlock(at: begin) }
    let hasKinds = streams.kinds.remaining > 0
    while streams.covers.remaining > 0 {
      guard let kind = hasKinds ? streams.kinds.kind(in: block) : .old,
        let extra = streams.covers.number(in: block), extra <= UInt64(streams.extras.remaining)
      else { throw .badBlock(at: begin) }
      try copyExtras(Int(extra), &streams, block, &files)
      try run(kind, &streams, block, &files)
    }
    try copyExtras(streams.extras.remaining, &streams, block, &files)
    guard streams.areUsedUp, completed > begin else { throw .badBlock(at: begin) }
  }

  private mutating func run<Files: PatchFiles & ~Copyable>(
    _ kind: OperationKind, _ streams: inout BlockStreams, _ block: Span<UInt8>, _ files: inout Files
  ) throws(DeltaError) {
    if case .numbers(let numbers) = kind {
      guard let count = streams.covers.number(in: block), count > 0 else { throw .badBlock(at: completed) }
      return try makeNumbers(numbers, count, &streams, block, &files)
    }
    guard let step = streams.covers.number(in: block), let count = streams.covers.number(in: block), count > 0
    else { throw .badBlock(at: completed) }
    if kind.isOld {
      let last = oldOffset
      if kind == .oldAgain { oldOffset = earlierOldOffset }
      earlierOldOffset = last
    }
    switch kind {
    case .old, .oldAgain:
      try move(.old, by: step, length: count)
      try copyCover(.old, count, &streams, block, &files)
    case .new:
      try move(.new, by: step, length: count)
      try copyCover(.new, count, &streams, block, &files)
    case .oldReversed(let unit): try copyReversed(.old, by: step, count, unit: 8 * unit, &files)
    case .newReversed(let unit): try copyReversed(.new, by: step, count, unit: 8 * unit, &files)
    case .numbers: break  // not reached
    }
  }

  // MARK: - Sources

  private enum Source { case old, new }

  private func offset(_ source: Source) -> UInt64 { source == .old ? oldOffset : newOffset }

  private mutating func set(_ source: Source, _ offset: UInt64) {
    switch source {
    case .old: oldOffset = offset
    case .new: newOffset = offset
    }
  }

  /// The end of what can be read.
  private func end(_ source: Source) -> UInt64 { source == .old ? oldSize : completed }

  /// Goes to the beginning of a cover, which must lie within its source.
  private mutating func move(_ source: Source, by step: UInt64, length: UInt64) throws(DeltaError) {
    // Neither overflows: a step is less than 2^62 either way and a file at most 2^48.
    let (start, overflow) = Int64(offset(source)).addingReportingOverflow(Varint.unfolded(step))
    let end = end(source)
    guard !overflow, start >= 0, UInt64(start) < end, length <= end - UInt64(start) else {
      throw .outsideSource(at: completed)
    }
    set(source, UInt64(start))
  }

  /// Takes care that bytes of a source from `offset` are at hand, `least` or more, `wanted` at most; returns how many.
  private mutating func prepare<Files: PatchFiles & ~Copyable>(
    _ source: Source, from offset: UInt64, least: Int = 1, wanted: Int, _ files: inout Files
  ) throws(DeltaError) -> Int {
    switch source {
    case .old:
      if old.available(from: offset) < least {
        let isRead = try old.fill(from: offset, wanted: wanted, end: oldSize) { (buffer) throws(DeltaError) in
          try files.readOld(into: &buffer, at: offset)
        }
        // The file was cut since its size was compared.
        guard isRead else {
          throw .wrongOldFile(found: offset + UInt64(old.available(from: offset)), expected: oldSize)
        }
      }
      return min(old.available(from: offset), wanted)
    case .new:
      if new.available(from: offset) < least {
        if offset + UInt64(wanted) > output.written { try output.flush(&files) }
        let end = output.written
        let isRead = try new.fill(from: offset, wanted: wanted, end: end) { (buffer) throws(DeltaError) in
          try files.readNew(into: &buffer, at: offset)
        }
        guard isRead else { throw .outsideSource(at: completed) }
      }
      return min(new.available(from: offset), wanted)
    }
  }

  // MARK: - Operations

  private mutating func copyExtras<Files: PatchFiles & ~Copyable>(
    _ count: Int, _ streams: inout BlockStreams, _ block: Span<UInt8>, _ files: inout Files
  ) throws(DeltaError) {
    guard UInt64(count) <= newSize - completed else { throw .badBlock(at: completed) }
    var left = count
    while left > 0 {
      if output.room == 0 { try output.flush(&files) }
      let piece = min(left, output.room)
      output.append(block.extracting(streams.extras.offset..<streams.extras.offset + piece))
      streams.extras.advance(by: piece)
      left -= piece
    }
  }

  private mutating func copyCover<Files: PatchFiles & ~Copyable>(
    _ source: Source, _ length: UInt64, _ streams: inout BlockStreams, _ block: Span<UInt8>,
    _ files: inout Files
  ) throws(DeltaError) {
    guard length <= newSize - completed else { throw .badBlock(at: completed) }
    var left = length
    while left > 0 {
      if output.room == 0 { try output.flush(&files) }
      let start = offset(source)
      let wanted = Int(min(left, UInt64(output.room)))
      let piece = try prepare(source, from: start, wanted: wanted, &files)
      let isRight =
        switch source {
        case .old: output.append(old, from: start, piece, adding: &streams, in: block)
        case .new: output.append(new, from: start, piece, adding: &streams, in: block)
        }
      guard isRight else { throw .badBlock(at: completed) }
      set(source, start + UInt64(piece))
      left -= UInt64(piece)
    }
  }

  /// Copies units from the last to the first; the last begins a step away.
  private mutating func copyReversed<Files: PatchFiles & ~Copyable>(
    _ source: Source, by step: UInt64, _ count: UInt64, unit: Int, _ files: inout Files
  ) throws(DeltaError) {
    let (size, isTooLarge) = count.multipliedReportingOverflow(by: UInt64(unit))
    guard !isTooLarge, size <= newSize - completed else { throw .badBlock(at: completed) }
    try move(source, by: step, length: UInt64(unit))
    guard size - UInt64(unit) <= offset(source) else { throw .outsideSource(at: completed) }
    var left = size
    var end = offset(source) + UInt64(unit)
    while left > 0 {
      if output.room < unit { try output.flush(&files) }
      let piece = Int(min(left, UInt64(min(output.room, PatchLimits.newWindow) / unit * unit)))
      let start = end - UInt64(piece)
      guard try prepare(source, from: start, least: piece, wanted: piece, &files) == piece else {
        throw .outsideSource(at: completed)
      }
      var place = piece
      while place > 0 {
        place -= unit
        let from = start + UInt64(place)
        switch source {
        case .old: output.append(old, from: from, unit)
        case .new: output.append(new, from: from, unit)
        }
      }
      end = start
      left -= UInt64(piece)
    }
    set(source, end)
  }

  /// Makes decimal fractions, each told as an integer against an earlier one.
  private mutating func makeNumbers<Files: PatchFiles & ~Copyable>(
    _ numbers: OperationKind.Numbers, _ count: UInt64, _ streams: inout BlockStreams, _ block: Span<UInt8>,
    _ files: inout Files
  ) throws(DeltaError) {
    guard count <= (newSize - completed) / 8 else { throw .badBlock(at: completed) }
    switch numbers.base {
    case .history: break
    case .output:
      for distance in (0..<numbers.stride).reversed() {
        history.append(Decimal.integer(output.double(before: distance), numbers.decimals))
      }
    case .skipped: history.append(history[numbers.stride])
    }
    for _ in 0..<count {
      guard let number = streams.numbers.number(in: block) else { throw .badBlock(at: completed) }
      let integer = history[numbers.stride] &+ Varint.unfolded(number)
      guard integer.magnitude <= Decimal.limit.magnitude else { throw .badBlock(at: completed) }
      history.append(integer)
      if output.room < 8 { try output.flush(&files) }
      output.append(Decimal.double(integer, numbers.decimals))
    }
  }
}

extension StreamCursor {
  /// Takes the next kind of operation; nil if there is none, or it is unknown.
  fileprivate mutating func kind(in block: Span<UInt8>) -> OperationKind? {
    guard remaining > 0 else { return nil }
    defer { advance(by: 1) }
    return OperationKind(block[offset])
  }
}
