/// A streaming decoder of bytes that were sorted by what follows them.
///
/// The transform is that of Burrows and Wheeler ("A block-sorting lossless data compression algorithm", 1994), the coding
/// that of `SymbolModel`; `docs/format/patch.md`, Sorted sections, has the format. All of a chunk is read before its first byte
/// comes out.
///
/// Public for the reason that `Buffer` gives.
public struct BWTDecoder: ~Copyable {
  private enum Step { case size, origin, first, symbols, output, finished }

  private var model = SymbolModel()
  private var coder = RangeDecoder()
  private var step = Step.size
  /// The number of a chunk's header that is being read; its low `shift` bits are known.
  private var number = 0
  private var shift = 0
  /// How many of the coder's first bytes were taken.
  private var firstBytes = 0
  /// The bytes of the chunk.
  private var size = 0
  /// The row of the chunk's first byte, then that of its next one.
  private var row = 0
  private var done = 0
  /// For each row the byte before it, and 256 times the row that follows; one more than a chunk has bytes.
  private var rows: UnsafeMutablePointer<UInt32>
  private var capacity = 0
  /// For each byte, how often it occurs, then the next row of those that begin with it.
  private let counts: UnsafeMutablePointer<UInt32>

  package init() {
    rows = .allocate(capacity: 1)
    counts = .allocate(capacity: 256)
  }

  deinit {
    rows.deallocate()
    counts.deallocate()
  }

  /// The most bytes of a chunk: its rows and the model take as much as LZMA2 with a dictionary of 1 MiB.
  package static var maximumChunk: Int { 224 << 10 }

  /// The most memory that a decoder allocates, in bytes.
  package static var memoryNeeded: UInt64 {
    UInt64(4 * (maximumChunk + 1)) + SymbolModel.memoryNeeded + (2 << 10)
  }

  package var isFinished: Bool { step == .finished }

  /// Starts the next stream.
  package mutating func reset() {
    model.reset()
    step = .size
    number = 0
    shift = 0
  }

  /// Decodes from the front of `input` into the front of `output`.
  ///
  /// No progress means that more input is needed, or more room.
  package mutating func decode(
    _ input: RawSpan, into output: inout MutableRawSpan
  ) throws(CodecError) -> CodedBytes {
    let input = Span<UInt8>(_bytes: input)
    var read = 0
    var written = 0
    while true {
      switch step {
      case .size, .origin:
        guard read < input.count else { return CodedBytes(read: read, written: written) }
        try takeHeader(input[read])
        read += 1
      case .first:
        guard read < input.count else { return CodedBytes(read: read, written: written) }
        coder.begin(input[read])
        read += 1
        firstBytes += 1
        if firstBytes == RangeDecoder.firstBytes { step = .symbols }
      case .symbols:
        guard try decodeSymbols(input, &read) else { return CodedBytes(read: read, written: written) }
        linkRows()
        step = .output
      case .output:
        written += write(&output, from: written)
        guard done == size else { return CodedBytes(read: read, written: written) }
        step = .size
      case .finished:
        return CodedBytes(read: read, written: written)
      }
    }
  }

  /// Takes a byte of the size of a chunk, or of its first row.
  private mutating func takeHeader(_ byte: UInt8) throws(CodecError) {
    number |= Int(byte & 0x7f) << shift
    shift += 7
    guard byte < 0x80 else {
      guard shift < 21 else { throw .corrupt }
      return
    }
    guard number <= BWTDecoder.maximumChunk, byte > 0 || shift == 7 else { throw .corrupt }
    if step == .size {
      size = number
      step = size == 0 ? .finished : .origin
    } else {
      guard (1...size).contains(number) else { throw .corrupt }
      row = number
      startChunk()
    }
    number = 0
    shift = 0
  }

  private mutating func startChunk() {
    if size > capacity {
      rows.deallocate()
      rows = .allocate(capacity: size + 1)
      capacity = size
    }
    counts.initialize(repeating: 0, count: 256)
    model.startChunk()
    coder = RangeDecoder()
    firstBytes = 0
    done = 0
    step = .first
  }

  /// Decodes the bytes before each row, but that of the first byte, which has none; false if more input is needed.
  private mutating func decodeSymbols(_ input: Span<UInt8>, _ read: inout Int) throws(CodecError) -> Bool {
    while true {
      while coder.needsByte {
        guard read < input.count else { return false }
        coder.take(input[read])
        read += 1
      }
      guard done < size else { break }
      if let symbol = model.update(coder.decode(model.predict())) {
        rows[done < row ? done : done + 1] = UInt32(symbol)
        counts[Int(symbol)] += 1
        done += 1
      }
    }
    guard coder.isAtEnd else { throw .corrupt }
    return true
  }

  /// Finds the row that follows each row: rows that begin with the same byte are in the order of what follows it.
  private mutating func linkRows() {
    var next: UInt32 = 1
    for byte in 0..<256 {
      let count = counts[byte]
      counts[byte] = next
      next += count
    }
    rows[row] = 0
    for number in 0...size where number != row {
      let byte = Int(rows[number] & 0xff)
      rows[Int(counts[byte])] |= UInt32(number) << 8
      counts[byte] += 1
    }
    done = 0
  }

  /// Writes the next bytes of the chunk; returns how many.
  private mutating func write(_ output: inout MutableRawSpan, from start: Int) -> Int {
    let count = min(output.byteCount - start, size - done)
    output.withUnsafeMutableBytes { output in
      var row = self.row
      for index in start..<start + count {
        // A damaged chunk may come to row 0, which follows itself.
        row = Int(rows[row] >> 8)
        output[index] = UInt8(truncatingIfNeeded: rows[row])
      }
      self.row = row
    }
    done += count
    return count
  }
}
