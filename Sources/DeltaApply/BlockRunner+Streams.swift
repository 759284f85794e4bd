internal import PatchFormat

/// Deflate streams in the new file: their contents are made, deflated, and written where the bytes belong.
///
/// The bytes of a stream go to stretches of the file that may lie far apart, with others in between: those stretches are
/// claimed, and the bytes around them pass over them.
extension BlockRunner {
  /// Takes the next number from the targets of a block, if there is one.
  mutating func readBytesBeforeStream(
    _ streams: inout BlockStreams, _ block: Span<UInt8>
  ) throws(DeltaError) {
    guard streams.targets.remaining > 0 else { return }
    guard let count = streams.targets.number(in: block) else { throw .badBlock(at: position) }
    bytesBeforeStream = count
  }

  /// Ends and begins streams, and passes over claims, until there is room for bytes.
  mutating func advance<Files: PatchFiles & ~Copyable>(
    _ streams: inout BlockStreams, _ block: Span<UInt8>, _ files: inout Files
  ) throws(DeltaError) {
    while true {
      if contentLeft == 0 {
        try endStream(&files)
        try readBytesBeforeStream(&streams, block)
      } else if contentLeft == nil && claims.first?.start == position {
        try passClaim(&files)
      } else if contentLeft == nil && bytesBeforeStream == 0 {
        try beginStream(&streams, block, &files)
      } else {
        return
      }
    }
  }

  /// How many bytes can be appended, `least` to `most`; inside an operation only claims are passed over.
  mutating func prepareRoom<Files: PatchFiles & ~Copyable>(
    _ least: Int, atMost most: UInt64, _ files: inout Files
  ) throws(DeltaError) -> Int {
    if output.room < least { try flush(&files) }
    var room = min(most, UInt64(output.room))
    if let contentLeft {
      room = min(room, contentLeft)
    } else {
      while claims.first?.start == position { try passClaim(&files) }
      if let first = claims.first { room = min(room, first.start - position) }
      if let bytesBeforeStream { room = min(room, bytesBeforeStream) }
      room = min(room, head.newSize - position, UInt64(output.room))
    }
    guard room >= UInt64(least) else { throw .badBlock(at: position) }
    return Int(room)
  }

  /// Counts bytes that were appended.
  mutating func complete(_ count: Int) {
    made += UInt64(count)
    if let left = contentLeft {
      contentLeft = left - UInt64(count)
    } else {
      position += UInt64(count)
      if let left = bytesBeforeStream { bytesBeforeStream = left - UInt64(count) }
    }
  }

  mutating func passClaim<Files: PatchFiles & ~Copyable>(_ files: inout Files) throws(DeltaError) {
    try flush(&files)
    if let claim = claims.first { position = claim.end }
    claims.removeFirst()
  }

  private mutating func beginStream<Files: PatchFiles & ~Copyable>(
    _ streams: inout BlockStreams, _ block: Span<UInt8>, _ files: inout Files
  ) throws(DeltaError) {
    guard maker != nil,
      let target = StreamTarget(parsing: &streams.targets, in: block, at: position, head)
    else { throw .badBlock(at: position) }
    for place in target.places {
      guard claims.insert(place, behind: position) else { throw .badBlock(at: position) }
    }
    // swift-format-ignore: NeverForceUnwrap
    try maker!.beginSource(target.sourceWrapper)
    for _ in 0..<target.sourceCount { try readSource(&streams, block, &files) }
    // swift-format-ignore: NeverForceUnwrap
    if target.sourceCount > 0 { try maker!.endSource() }
    // swift-format-ignore: NeverForceUnwrap
    try maker!.begin(target.parameters, into: target.places)
    try flush(&files)
    bytesBeforeStream = nil
    contentLeft = target.contentSize
    cursorsBehind = cursors
    cursors = Cursors()
  }

  /// Inflates the next stretch of the old stream.
  private mutating func readSource<Files: PatchFiles & ~Copyable>(
    _ streams: inout BlockStreams, _ block: Span<UInt8>, _ files: inout Files
  ) throws(DeltaError) {
    guard let step = streams.targets.number(in: block), let size = streams.targets.number(in: block), size > 0
    else { throw .badBlock(at: position) }
    let (start, overflow) = Int64(sourceEnd).addingReportingOverflow(Varint.unzigzag(step))
    guard !overflow, start >= 0, UInt64(start) < head.oldSize, size <= head.oldSize - UInt64(start) else {
      throw .outsideSource(at: position)
    }
    var offset = UInt64(start)
    sourceEnd = offset + size
    while offset < sourceEnd {
      let wanted = Int(min(sourceEnd - offset, UInt64(old.capacity)))
      let count = try prepareOld(from: offset, wanted: wanted, &files)
      try BlockRunner.takeSource(&maker, old, from: offset, count)
      offset += UInt64(count)
    }
  }

  private static func takeSource(
    _ maker: inout ContentMaker?, _ window: borrowing SourceWindow, from offset: UInt64, _ count: Int
  ) throws(DeltaError) {
    try maker?.takeSource(window.bytes(from: offset, count).bytes)
  }

  mutating func endStream<Files: PatchFiles & ~Copyable>(_ files: inout Files) throws(DeltaError) {
    try passContent(isLast: true, &files)
    output.removeAll()
    contentLeft = nil
    cursors = cursorsBehind
  }

  /// Passes collected bytes of a content on.
  mutating func passContent<Files: PatchFiles & ~Copyable>(
    isLast: Bool, _ files: inout Files
  ) throws(DeltaError) {
    try BlockRunner.pass(&maker, output, isLast: isLast, made: position, &files)
  }

  private static func pass<Files: PatchFiles & ~Copyable>(
    _ maker: inout ContentMaker?, _ output: borrowing OutputBuffer, isLast: Bool, made: UInt64,
    _ files: inout Files
  ) throws(DeltaError) {
    try maker?.take(output.bytes, isLast: isLast, made: made, &files)
  }
}
