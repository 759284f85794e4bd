internal import PatchFormat

/// Where operations copy from.
extension BlockExecutor {
  /// What an operation copies from, and where it starts; its first `length` bytes must lie within the source.
  func start(
    _ operation: PatchOperation, record: CopyRecord, length: UInt64
  ) throws(DeltaError) -> (source: CopySource, start: UInt64) {
    guard let source = operation.source, let delta = record.delta,
      let start = section.copies.start(delta, for: operation), start < end(source),
      length <= end(source) - start, start >= contentFloor
    else { throw .outsideSource(at: position.offset) }
    return (source, start)
  }

  /// The end of what can be read.
  private func end(_ source: CopySource) -> UInt64 {
    switch (source, contentLeft) {
    case (.old, nil): head.oldSize
    case (.new, nil): position.offset
    case (.old, _): contentSourceSize
    case (.new, _): 0  // a content is made of old bytes and literals only
    }
  }

  /// The bytes of the old stream's content.
  private var contentSourceSize: UInt64 {
    switch rebuilder {
    // Where a content ends that is larger than what is held is found out when it is read.
    case .some(let rebuilder):
      rebuilder.source.isComplete ? rebuilder.source.end : PatchLimits.maximumFile
    case .none: 0
    }
  }

  /// Where copies may begin at the earliest: after 0 only in an old content that is not held whole.
  var contentFloor: UInt64 {
    guard contentLeft != nil else { return 0 }
    switch rebuilder {
    case .some(let rebuilder): return rebuilder.source.floor
    case .none: return 0
    }
  }

  /// Loads bytes of a source from `offset`; returns how many are available, at least one, `wanted` if they fit.
  mutating func prepare(
    _ source: CopySource, from offset: UInt64, wanted: Int, files: any PatchFiles
  ) throws(DeltaError) -> Int {
    if contentLeft != nil { return try prepareContent(from: offset, wanted: wanted, files: files) }
    switch source {
    case .old: return try prepareOld(from: offset, wanted: wanted, files: files)
    case .new:
      if new.available(from: offset) < wanted {
        if offset + UInt64(wanted) > written { try flush(files) }
        let isRead = try new.fill(from: offset, wanted: wanted, end: written) { (buffer) throws(DeltaError) in
          try files.readNew(into: &buffer, at: offset)
        }
        guard isRead else { throw .outsideSource(at: position.offset) }
      }
      return min(new.available(from: offset), wanted)
    }
  }

  /// Loads bytes of the old file, also while a content is made.
  mutating func prepareOld(
    from offset: UInt64, wanted: Int, files: any PatchFiles
  ) throws(DeltaError) -> Int {
    if old.available(from: offset) < min(wanted, old.capacity) {
      let isRead = try old.fill(from: offset, wanted: wanted, end: head.oldSize) {
        (buffer) throws(DeltaError) in
        try files.readOld(into: &buffer, at: offset)
      }
      // The file was truncated after its size was compared.
      guard isRead else {
        throw .wrongOldFile(found: offset + UInt64(old.available(from: offset)), expected: head.oldSize)
      }
    }
    return min(old.available(from: offset), wanted)
  }

  /// Appends bytes that `prepare` has loaded.
  mutating func append(_ source: CopySource, from offset: UInt64, count: Int) {
    if contentLeft != nil { return BlockExecutor.append(rebuilder, from: offset, count: count, to: &output) }
    switch source {
    case .old: output.append(old, from: offset, count: count)
    case .new: output.append(new, from: offset, count: count)
    }
  }

  private static func append(
    _ rebuilder: borrowing StreamRebuilder?, from offset: UInt64, count: Int,
    to output: inout OutputBuffer
  ) {
    switch rebuilder {
    case .some(let rebuilder): output.append(rebuilder.source.bytes(from: offset, count: count))
    case .none: break
    }
  }
}
