internal import PatchFormat

/// Executes blocks: makes the bytes of the new file that each of them describes.
struct BlockRunner: ~Copyable {
  let head: PatchHead
  var old = SourceWindow(capacity: BufferSizes.window)
  var new = SourceWindow(capacity: BufferSizes.newWindow)
  var output = OutputBuffer(capacity: BufferSizes.output)
  /// Where the next byte of the new file goes that is in no stream.
  var position: UInt64
  /// The bytes of the new file and of contents that were made in this run.
  var made: UInt64 = 0
  var cursors = Cursors()
  private var history = NumberHistory()

  // Streams, `BlockRunner+Streams.swift`.
  /// Nil if the patch has no streams.
  var maker: ContentMaker?
  var claims = Claims()
  /// How many bytes of the new file come before the next stream; nil if none is known of.
  var bytesBeforeStream: UInt64?
  /// The bytes of the content that is being made that are still to come; nil if none is.
  var contentLeft: UInt64?
  /// The cursors as they will be behind the stream.
  var cursorsBehind = Cursors()
  /// Where the last old stream ended.
  var sourceEnd: UInt64 = 0

  /// Where operations have ended.
  struct Cursors {
    /// The last one in the old file, or in the old stream.
    var old: UInt64 = 0
    /// The one before that.
    var earlierOld: UInt64 = 0
    /// The last one in the new file.
    var new: UInt64 = 0
  }

  init(_ head: PatchHead, completed: UInt64) throws(DeltaError) {
    if head.shape.maximumContent > 0 {
      maker = try ContentMaker(maximumContent: head.shape.maximumContent)
      claims.reserve()
    }
    self.head = head
    position = completed
  }

  /// Where the first byte stands that is not written yet.
  var written: UInt64 { contentLeft == nil ? position - UInt64(output.count) : position }

  /// Forgets what earlier blocks left behind, as a restart point asks for.
  mutating func startSection() {
    cursors = Cursors()
    sourceEnd = 0
    history = NumberHistory()
    output.startSection()
  }

  /// Writes what was made so far; nothing may be left open.
  mutating func endSection<Files: PatchFiles & ~Copyable>(_ files: inout Files) throws(DeltaError) {
    while true {
      if contentLeft == 0 {
        try endStream(&files)
      } else if contentLeft == nil && claims.first?.start == position {
        try passClaim(&files)
      } else {
        break
      }
    }
    try flush(&files)
    guard contentLeft == nil, claims.first == nil, bytesBeforeStream == nil else {
      throw .badSection(at: position)
    }
  }

  /// Executes a whole block.
  mutating func run<Files: PatchFiles & ~Copyable>(
    _ assembly: borrowing BlockAssembly, _ files: inout Files
  ) throws(DeltaError) {
    let begin = position
    let madeBefore = made
    let block = assembly.bytes
    guard var streams = BlockStreams(parsing: block) else { throw .badBlock(at: begin) }
    if contentLeft == nil { try readBytesBeforeStream(&streams, block) }
    let hasKinds = streams.kinds.remaining > 0
    while streams.covers.remaining > 0 {
      guard let kind = hasKinds ? streams.kinds.kind(in: block) : .implied,
        let extra = streams.covers.number(in: block), extra <= UInt64(streams.extras.remaining)
      else { throw .badBlock(at: begin) }
      try copyExtras(Int(extra), &streams, block, &files)
      try advance(&streams, block, &files)
      try run(kind, &streams, block, &files)
    }
    try copyExtras(streams.extras.remaining, &streams, block, &files)
    // A block that makes nothing could be there without end.
    guard streams.areUsedUp, bytesBeforeStream == nil, made > madeBefore else { throw .badBlock(at: begin) }
  }

  private mutating func run<Files: PatchFiles & ~Copyable>(
    _ kind: PatchOperation, _ streams: inout BlockStreams, _ block: Span<UInt8>, _ files: inout Files
  ) throws(DeltaError) {
    if case .numbers(let numbers) = kind {
      guard let count = streams.covers.number(in: block), count > 0 else { throw .badBlock(at: position) }
      return try makeNumbers(numbers, count, &streams, block, &files)
    }
    guard let step = streams.covers.number(in: block), let count = streams.covers.number(in: block), count > 0
    else { throw .badBlock(at: position) }
    if kind.source == .old {
      let last = cursors.old
      if kind == .resumeOld { cursors.old = cursors.earlierOld }
      cursors.earlierOld = last
    }
    switch kind {
    case .copyOld, .resumeOld:
      try move(.old, by: step, length: count)
      try copyCover(.old, count, &streams, block, &files)
    case .copyNew:
      try move(.new, by: step, length: count)
      try copyCover(.new, count, &streams, block, &files)
    case .copyOldReversed(let unit): try copyReversed(.old, by: step, count, unit: 8 * unit, &files)
    case .copyNewReversed(let unit): try copyReversed(.new, by: step, count, unit: 8 * unit, &files)
    case .numbers: break  // not reached
    }
  }

  /// Passes on what was collected.
  mutating func flush<Files: PatchFiles & ~Copyable>(_ files: inout Files) throws(DeltaError) {
    guard output.count > 0 else { return }
    if contentLeft == nil {
      try files.write(output.bytes, at: written)
    } else {
      try passContent(isLast: false, &files)
    }
    output.removeAll()
  }

  // MARK: - Operations

  private mutating func copyExtras<Files: PatchFiles & ~Copyable>(
    _ count: Int, _ streams: inout BlockStreams, _ block: Span<UInt8>, _ files: inout Files
  ) throws(DeltaError) {
    var left = count
    while left > 0 {
      // Streams may begin and end between extra bytes.
      try advance(&streams, block, &files)
      let piece = try prepareRoom(1, atMost: UInt64(left), &files)
      output.append(block.extracting(streams.extras.offset..<streams.extras.offset + piece))
      streams.extras.advance(by: piece)
      complete(piece)
      left -= piece
    }
  }

  private mutating func copyCover<Files: PatchFiles & ~Copyable>(
    _ source: CopySource, _ length: UInt64, _ streams: inout BlockStreams, _ block: Span<UInt8>,
    _ files: inout Files
  ) throws(DeltaError) {
    var left = length
    while left > 0 {
      let start = offset(source)
      let wanted = try prepareRoom(1, atMost: left, &files)
      let piece = try prepare(source, from: start, wanted: wanted, &files)
      append(source, from: start, piece)
      guard output.addDifferences(piece, of: &streams, in: block) else { throw .badBlock(at: position) }
      complete(piece)
      set(source, start + UInt64(piece))
      left -= UInt64(piece)
    }
  }

  /// Copies units from the last to the first; the last begins a step away.
  private mutating func copyReversed<Files: PatchFiles & ~Copyable>(
    _ source: CopySource, by step: UInt64, _ count: UInt64, unit: Int, _ files: inout Files
  ) throws(DeltaError) {
    let (size, isTooLarge) = count.multipliedReportingOverflow(by: UInt64(unit))
    // The content of a stream may be longer than the file that the stream is in.
    guard !isTooLarge, size <= contentLeft ?? head.newSize else { throw .badBlock(at: position) }
    try move(source, by: step, length: UInt64(unit))
    guard size - UInt64(unit) <= offset(source) else { throw .outsideSource(at: position) }
    var left = size
    var end = offset(source) + UInt64(unit)
    while left > 0 {
      let room = try prepareRoom(unit, atMost: min(left, UInt64(BufferSizes.newWindow)), &files)
      let piece = room / unit * unit
      let start = end - UInt64(piece)
      guard try prepare(source, from: start, wanted: piece, &files) == piece else {
        throw .outsideSource(at: position)
      }
      var place = piece
      while place > 0 {
        place -= unit
        append(source, from: start + UInt64(place), unit)
      }
      complete(piece)
      end = start
      left -= UInt64(piece)
    }
    set(source, end)
  }

  /// Makes decimal fractions, each told as an integer against an earlier one.
  private mutating func makeNumbers<Files: PatchFiles & ~Copyable>(
    _ numbers: NumberCoding, _ count: UInt64, _ streams: inout BlockStreams, _ block: Span<UInt8>,
    _ files: inout Files
  ) throws(DeltaError) {
    history.begin(
      numbers, output: [output.double(before: 0), output.double(before: 1), output.double(before: 2)])
    for _ in 0..<count {
      guard let number = streams.numbers.number(in: block),
        let integer = history.decode(number, stride: numbers.stride)
      else { throw .badBlock(at: position) }
      _ = try prepareRoom(8, atMost: 8, &files)
      output.append(Decimal.double(integer, numbers.decimals))
      complete(8)
    }
  }
}

extension ByteCursor {
  /// Takes the next operation; nil if there is none, or it is unknown.
  fileprivate mutating func kind(in block: Span<UInt8>) -> PatchOperation? {
    byte(in: block).flatMap { PatchOperation($0) }
  }
}
