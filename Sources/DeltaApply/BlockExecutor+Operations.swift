internal import PatchFormat

/// What each operation makes.
extension BlockExecutor {
  mutating func copyLiterals(
    _ count: Int, from columns: inout BlockColumns, in block: Span<UInt8>, files: any PatchFiles
  ) throws(DeltaError) {
    var left = count
    while left > 0 {
      // Streams may begin and end between literals.
      try advance(&columns, in: block, files: files)
      let piece = try prepareRoom(1, atMost: UInt64(left), files: files)
      output.append(block.extracting(columns[.literals].offset..<columns[.literals].offset + piece))
      columns[.literals].advance(by: piece)
      complete(piece)
      left -= piece
    }
  }

  /// Copies bytes and adds the block's differences to them.
  mutating func copy(
    _ operation: PatchOperation, record: CopyRecord, columns: inout BlockColumns,
    in block: Span<UInt8>, files: any PatchFiles
  ) throws(DeltaError) {
    let (source, start) = try start(operation, record: record, length: record.count)
    var offset = start
    var left = record.count
    while left > 0 {
      let wanted = try prepareRoom(1, atMost: left, files: files)
      let piece = try prepare(source, from: offset, wanted: wanted, files: files)
      append(source, from: offset, count: piece)
      guard output.addDifferences(piece, of: &columns, in: block) else {
        throw .badBlock(at: position.offset)
      }
      complete(piece)
      offset += UInt64(piece)
      left -= UInt64(piece)
    }
    section.copies.finish(operation, from: start, count: record.count)
  }

  /// Copies units from the last to the first, and adds the block's differences to them if the operation has any.
  mutating func copyReversed(
    _ operation: PatchOperation, record: CopyRecord, columns: inout BlockColumns, in block: Span<UInt8>,
    files: any PatchFiles
  ) throws(DeltaError) {
    let unit = operation.unitSize
    let (size, isTooLarge) = record.count.multipliedReportingOverflow(by: UInt64(unit))
    // The content of a stream may be longer than the file that the stream is in.
    guard !isTooLarge, size <= contentLeft ?? head.newSize else { throw .badBlock(at: position.offset) }
    let (source, last) = try start(operation, record: record, length: UInt64(unit))
    guard size - UInt64(unit) <= last else { throw .outsideSource(at: position.offset) }
    if contentLeft != nil {
      // The highest unit is made first.
      _ = try prepareContent(from: last, wanted: unit, files: files)
      guard last - (size - UInt64(unit)) >= contentFloor else { throw .outsideSource(at: position.offset) }
    }
    var left = size
    var end = last + UInt64(unit)
    while left > 0 {
      let room = try prepareRoom(unit, atMost: min(left, UInt64(BufferSizes.newWindow)), files: files)
      let piece = room / unit * unit
      let start = end - UInt64(piece)
      guard try prepare(source, from: start, wanted: piece, files: files) == piece else {
        throw .outsideSource(at: position.offset)
      }
      for offset in stride(from: piece - unit, through: 0, by: -unit) {
        append(source, from: start + UInt64(offset), count: unit)
      }
      if operation.hasDifferences {
        guard output.addDifferences(piece, of: &columns, in: block) else {
          throw .badBlock(at: position.offset)
        }
      }
      complete(piece)
      end = start
      left -= UInt64(piece)
    }
    section.copies.finish(operation, from: last, count: record.count)
  }

  /// Makes decimal fractions.
  mutating func makeNumbers(
    _ coding: NumberCoding, count: UInt64, from columns: inout BlockColumns, in block: Span<UInt8>,
    files: any PatchFiles
  ) throws(DeltaError) {
    section.numbers.begin(
      coding, output: [output.double(before: 0), output.double(before: 1), output.double(before: 2)])
    for _ in 0..<count {
      guard let integer = section.numbers.decode(&columns[.numbers], in: block, stride: coding.stride) else {
        throw .badBlock(at: position.offset)
      }
      _ = try prepareRoom(8, atMost: 8, files: files)
      output.append(Decimal.double(integer, decimals: coding.decimals))
      complete(8)
    }
  }
}
