internal import PatchFormat

/// Where operations take bytes from.
extension BlockRunner {
  func offset(_ source: CopySource) -> UInt64 { source == .old ? cursors.old : cursors.new }

  mutating func set(_ source: CopySource, _ offset: UInt64) {
    switch source {
    case .old: cursors.old = offset
    case .new: cursors.new = offset
    }
  }

  /// The end of what can be read.
  private func end(_ source: CopySource) -> UInt64 {
    switch (source, contentLeft) {
    case (.old, nil): head.oldSize
    case (.new, nil): position
    case (.old, _): contentSourceSize
    case (.new, _): 0  // a stream is made of old bytes and extra ones alone
    }
  }

  /// The bytes of the old stream's content.
  private var contentSourceSize: UInt64 {
    switch maker {
    case .some(let maker): UInt64(maker.sourceSize)
    case .none: 0
    }
  }

  /// Goes to the beginning of a cover, which must lie within its source.
  mutating func move(_ source: CopySource, by step: UInt64, length: UInt64) throws(DeltaError) {
    // Neither overflows: a step is less than 2^62 either way and a file at most 2^48.
    let (start, overflow) = Int64(offset(source)).addingReportingOverflow(Varint.unzigzag(step))
    let end = end(source)
    guard !overflow, start >= 0, UInt64(start) < end, length <= end - UInt64(start) else {
      throw .outsideSource(at: position)
    }
    set(source, UInt64(start))
  }

  /// Takes care that bytes of a source from `offset` are at hand, at least one, `wanted` if they fit; returns how many.
  mutating func prepare<Files: PatchFiles & ~Copyable>(
    _ source: CopySource, from offset: UInt64, wanted: Int, _ files: inout Files
  ) throws(DeltaError) -> Int {
    if contentLeft != nil { return wanted }
    switch source {
    case .old: return try prepareOld(from: offset, wanted: wanted, &files)
    case .new:
      if new.available(from: offset) < wanted {
        if offset + UInt64(wanted) > written { try flush(&files) }
        let isRead = try new.fill(from: offset, wanted: wanted, end: written) { (buffer) throws(DeltaError) in
          try files.readNew(into: &buffer, at: offset)
        }
        guard isRead else { throw .outsideSource(at: position) }
      }
      return min(new.available(from: offset), wanted)
    }
  }

  /// The same for the old file, also while a stream is made.
  mutating func prepareOld<Files: PatchFiles & ~Copyable>(
    from offset: UInt64, wanted: Int, _ files: inout Files
  ) throws(DeltaError) -> Int {
    if old.available(from: offset) < min(wanted, old.capacity) {
      let isRead = try old.fill(from: offset, wanted: wanted, end: head.oldSize) {
        (buffer) throws(DeltaError) in
        try files.readOld(into: &buffer, at: offset)
      }
      // The file was cut since its size was compared.
      guard isRead else {
        throw .wrongOldFile(found: offset + UInt64(old.available(from: offset)), expected: head.oldSize)
      }
    }
    return min(old.available(from: offset), wanted)
  }

  /// Appends bytes that are at hand.
  mutating func append(_ source: CopySource, from offset: UInt64, _ count: Int) {
    if contentLeft != nil { return BlockRunner.append(maker, from: offset, count, to: &output) }
    switch source {
    case .old: output.append(old, from: offset, count)
    case .new: output.append(new, from: offset, count)
    }
  }

  private static func append(
    _ maker: borrowing ContentMaker?, from offset: UInt64, _ count: Int, to output: inout OutputBuffer
  ) {
    switch maker {
    case .some(let maker): output.append(maker.bytes(from: offset, count))
    case .none: break
    }
  }
}
