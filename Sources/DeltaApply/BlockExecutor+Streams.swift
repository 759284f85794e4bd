internal import Codec
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
  mutating func advance(
    _ columns: inout BlockColumns, in block: Span<UInt8>, files: any PatchFiles
  ) throws(DeltaError) {
    while true {
      if contentLeft == 0 {
        try endStream(files)
        try readGap(&columns, in: block)
      } else if contentLeft == nil && position.isAtReserved {
        try skipReserved(files)
      } else if contentLeft == nil && gap == 0 {
        try beginStream(&columns, in: block, files: files)
      } else {
        return
      }
    }
  }

  /// Returns how many bytes can be appended, `least` to `most`; inside an operation only reserved extents are skipped.
  mutating func prepareRoom(
    _ least: Int, atMost most: UInt64, files: any PatchFiles
  ) throws(DeltaError) -> Int {
    if output.room < least { try flush(files) }
    var room = min(most, UInt64(output.room))
    if let contentLeft {
      room = min(room, contentLeft)
    } else {
      while position.isAtReserved { try skipReserved(files) }
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

  mutating func skipReserved(_ files: any PatchFiles) throws(DeltaError) {
    try flush(files)
    position.skipReserved()
  }

  private mutating func beginStream(
    _ columns: inout BlockColumns, in block: Span<UInt8>, files: any PatchFiles
  ) throws(DeltaError) {
    guard rebuilder != nil,
      let target = DeflateTarget(parsing: &columns[.targets], in: block, at: position.offset, head: head)
    else { throw .badBlock(at: position.offset) }
    for extent in target.destinations {
      guard position.reserve(extent) else { throw .badBlock(at: position.offset) }
    }
    let sources = try sources(target.source, columns: &columns, in: block)
    // An optional that cannot be copied is changed in place, or taken out and lost with an error.
    // swift-format-ignore: NeverForceUnwrap
    try rebuilder!.source.begin(target.source?.wrapper, extents: sources)
    while try inflateSource(upTo: UInt64(head.shape.maximumContent), files: files) {}
    // swift-format-ignore: NeverForceUnwrap
    guard rebuilder!.source.isUsable else { throw .codec(.corrupt) }
    // swift-format-ignore: NeverForceUnwrap
    try rebuilder!.begin(target)
    try flush(files)
    gap = nil
    contentLeft = target.madeSize
    section.beginStream()
  }

  /// The extents of an old stream.
  private mutating func sources(
    _ source: DeflateTarget.Source?, columns: inout BlockColumns, in block: Span<UInt8>
  ) throws(DeltaError) -> [Extent] {
    var extents: [Extent] = []
    guard let source else { return extents }
    extents.reserveCapacity(Int(source.extentCount))
    do throws(ExtentChain.ParseError) {
      for _ in 0..<source.extentCount {
        extents.append(
          try section.sources.next(&columns[.targets], in: block, within: 0..<head.oldSize))
      }
    } catch {
      switch error {
      case .malformed: throw .badBlock(at: position.offset)
      case .outOfBounds: throw .outsideSource(at: position.offset)
      }
    }
    return extents
  }

  /// Inflates more of the old content, up to `end`; returns false at its end, and without room.
  private mutating func inflateSource(upTo end: UInt64, files: any PatchFiles) throws(DeltaError) -> Bool {
    // swift-format-ignore: NeverForceUnwrap
    guard !rebuilder!.source.isComplete else { return false }
    // swift-format-ignore: NeverForceUnwrap
    let extent = rebuilder!.source.unread
    // swift-format-ignore: NeverForceUnwrap
    guard extent.size > 0 else { return try rebuilder!.source.take(RawSpan(), upTo: end) }
    let wanted = Int(min(extent.size, UInt64(old.capacity)))
    let count = try prepareOld(from: extent.start, wanted: wanted, files: files)
    return try BlockExecutor.take(&rebuilder, window: old, from: extent.start, count: count, upTo: end)
  }

  private static func take(
    _ rebuilder: inout StreamRebuilder?, window: borrowing SourceWindow, from offset: UInt64, count: Int,
    upTo end: UInt64
  ) throws(DeltaError) -> Bool {
    try rebuilder?.source.take(window.bytes(from: offset, count: count).bytes, upTo: end) ?? false
  }

  /// Makes bytes of the old content available from `offset`; returns how many, at least one.
  mutating func prepareContent(
    from offset: UInt64, wanted: Int, files: any PatchFiles
  ) throws(DeltaError) -> Int {
    let end = offset + UInt64(wanted)
    // swift-format-ignore: NeverForceUnwrap
    while rebuilder!.source.end < end {
      // swift-format-ignore: NeverForceUnwrap
      rebuilder!.source.slide()
      guard try inflateSource(upTo: end, files: files) else { break }
    }
    // swift-format-ignore: NeverForceUnwrap
    let available = rebuilder!.source.available(from: offset)
    guard available > 0 else { throw .outsideSource(at: position.offset) }
    return min(available, wanted)
  }

  mutating func endStream(_ files: any PatchFiles) throws(DeltaError) {
    try passContent(isLast: true, files: files)
    output.removeAll()
    contentLeft = nil
    section.endStream()
  }

  /// Passes on collected bytes of a content.
  mutating func passContent(isLast: Bool, files: any PatchFiles) throws(DeltaError) {
    try BlockExecutor.pass(&rebuilder, output: output, isLast: isLast, at: position.offset, files: files)
  }

  private static func pass(
    _ rebuilder: inout StreamRebuilder?, output: borrowing OutputBuffer, isLast: Bool, at position: UInt64,
    files: any PatchFiles
  ) throws(DeltaError) {
    try rebuilder?.take(output.bytes, isLast: isLast, at: position, files: files)
  }
}
