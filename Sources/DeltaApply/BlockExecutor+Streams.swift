internal import PatchFormat

/// Deflate streams of the new file: their contents are made, deflated, and written where the bytes belong.
///
/// The bytes of a stream may go to extents that lie far apart, with other bytes in between: those extents are reserved,
/// and the bytes around them skip them (`OutputPosition`).
extension BlockExecutor {
  /// Takes the gap before the next stream from the column of targets, if it has another one.
  mutating func readGap(_ columns: inout BlockColumns, in block: Span<UInt8>) throws(DeltaError) {
    guard columns[.targets].remaining > 0 else { return }
    gap = DeflateTarget.gap(&columns[.targets], in: block)
    guard gap != nil else { throw .badBlock(at: position.offset) }
  }

  /// Ends and begins streams, and skips reserved extents, until there is room for bytes.
  mutating func advance<Files: PatchFiles & ~Copyable>(
    _ columns: inout BlockColumns, in block: Span<UInt8>, files: inout Files
  ) throws(DeltaError) {
    while true {
      if contentLeft == 0 {
        try endStream(&files)
        try readGap(&columns, in: block)
      } else if contentLeft == nil && position.isAtReserved {
        try skipReserved(&files)
      } else if contentLeft == nil && gap == 0 {
        try beginStream(&columns, in: block, files: &files)
      } else {
        return
      }
    }
  }

  /// Returns how many bytes can be appended, `least` to `most`; inside an operation only reserved extents are skipped.
  mutating func prepareRoom<Files: PatchFiles & ~Copyable>(
    _ least: Int, atMost most: UInt64, files: inout Files
  ) throws(DeltaError) -> Int {
    if output.room < least { try flush(&files) }
    var room = min(most, UInt64(output.room))
    if let contentLeft {
      room = min(room, contentLeft)
    } else {
      while position.isAtReserved { try skipReserved(&files) }
      room = min(room, position.room)
      if let gap { room = min(room, gap) }
      room = min(room, head.newSize - position.offset, UInt64(output.room))
    }
    guard room >= UInt64(least) else { throw .badBlock(at: position.offset) }
    return Int(room)
  }

  /// Counts bytes that were appended.
  mutating func complete(_ count: Int) {
    made += UInt64(count)
    if let left = contentLeft {
      contentLeft = left - UInt64(count)
    } else {
      position.place(UInt64(count))
      if let left = gap { gap = left - UInt64(count) }
    }
  }

  mutating func skipReserved<Files: PatchFiles & ~Copyable>(_ files: inout Files) throws(DeltaError) {
    try flush(&files)
    position.skipReserved()
  }

  private mutating func beginStream<Files: PatchFiles & ~Copyable>(
    _ columns: inout BlockColumns, in block: Span<UInt8>, files: inout Files
  ) throws(DeltaError) {
    guard rebuilder != nil,
      let target = DeflateTarget(parsing: &columns[.targets], in: block, at: position.offset, head: head)
    else { throw .badBlock(at: position.offset) }
    for extent in target.destinations {
      guard position.reserve(extent) else { throw .badBlock(at: position.offset) }
    }
    // An optional that cannot be copied is changed in place, or taken out and lost with an error.
    // swift-format-ignore: NeverForceUnwrap
    try rebuilder!.beginSource(target.source?.wrapper)
    for _ in 0..<(target.source?.extentCount ?? 0) { try readSource(&columns, in: block, files: &files) }
    // swift-format-ignore: NeverForceUnwrap
    if target.source != nil { try rebuilder!.endSource() }
    // swift-format-ignore: NeverForceUnwrap
    try rebuilder!.begin(target.parameters, into: target.destinations)
    try flush(&files)
    gap = nil
    contentLeft = target.contentSize
    section.beginStream()
  }

  /// Inflates the next extent of the old stream.
  private mutating func readSource<Files: PatchFiles & ~Copyable>(
    _ columns: inout BlockColumns, in block: Span<UInt8>, files: inout Files
  ) throws(DeltaError) {
    let extent: Extent
    do throws(ExtentChain.ParseError) {
      extent = try section.sources.next(&columns[.targets], in: block, within: 0..<head.oldSize)
    } catch {
      switch error {
      case .malformed: throw .badBlock(at: position.offset)
      case .outOfBounds: throw .outsideSource(at: position.offset)
      }
    }
    var offset = extent.start
    while offset < extent.end {
      let wanted = Int(min(extent.end - offset, UInt64(old.capacity)))
      let count = try prepareOld(from: offset, wanted: wanted, files: &files)
      try BlockExecutor.takeSource(&rebuilder, window: old, from: offset, count: count)
      offset += UInt64(count)
    }
  }

  private static func takeSource(
    _ rebuilder: inout StreamRebuilder?, window: borrowing SourceWindow, from offset: UInt64, count: Int
  ) throws(DeltaError) {
    try rebuilder?.takeSource(window.bytes(from: offset, count: count).bytes)
  }

  mutating func endStream<Files: PatchFiles & ~Copyable>(_ files: inout Files) throws(DeltaError) {
    try passContent(isLast: true, files: &files)
    output.removeAll()
    contentLeft = nil
    section.endStream()
  }

  /// Passes on collected bytes of a content.
  mutating func passContent<Files: PatchFiles & ~Copyable>(
    isLast: Bool, files: inout Files
  ) throws(DeltaError) {
    try BlockExecutor.pass(&rebuilder, output: output, isLast: isLast, at: position.offset, files: &files)
  }

  private static func pass<Files: PatchFiles & ~Copyable>(
    _ rebuilder: inout StreamRebuilder?, output: borrowing OutputBuffer, isLast: Bool, at position: UInt64,
    files: inout Files
  ) throws(DeltaError) {
    try rebuilder?.take(output.bytes, isLast: isLast, at: position, files: &files)
  }
}
