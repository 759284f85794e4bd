/// Makes a deflate stream, without a wrapper, out of its guide and its content.
///
/// Each symbol is written as soon as it is known. The guide has the codes, so no statistics are needed.
package struct GuidedDeflater: ~Copyable {
  private var predictor = MatchPredictor()
  private var guide = GuideParser()
  private var writer = BitWriter(capacity: GuidedDeflater.waiting)
  private var literals = HuffmanCode(symbols: Deflate.maximumSymbols.literals)
  private var distances = HuffmanCode(symbols: Deflate.maximumSymbols.distances)
  private var state = State.block

  private enum State: Equatable {
    /// Before a block.
    case block
    /// Within a stored block, with that many bytes left.
    case stored(Int)
    /// Before a run of right predictions.
    case run
    /// Before that many right predictions and a correction.
    case predictions(Int)
    /// After the last block.
    case end
  }
  private var isLastBlock = false

  private enum Input {
    /// Before the size of a part of the guide, or in it: its bits so far, and how many.
    case size(UInt64, bits: UInt64)
    /// Within a part of the guide, or of the content, with that many bytes left.
    case guide(Int)
    case content(Int)
  }
  private var input = Input.content(0)
  /// The bytes of guide and content that are in further parts.
  private var guideLeft: UInt64 = 0
  private var contentLeft: UInt64 = 0

  package init() {}

  /// Starts a stream, even in the middle of one.
  ///
  /// - `guideSize`: with the sizes of its parts.
  package mutating func reset(
    _ parameters: PredictorParameters, guideSize: UInt64, contentSize: UInt64
  ) throws(CodecError) {
    predictor.reset(parameters)
    writer.reset()
    state = .block
    isLastBlock = false
    guideLeft = guideSize
    contentLeft = contentSize
    try beginPart()
  }

  /// The memory that a deflater takes, in bytes.
  package static var memoryNeeded: UInt64 {
    MatchPredictor.memoryNeeded + UInt64(Guide.maximumPart + waiting)
      + UInt64(4 * (Deflate.maximumSymbols.literals + Deflate.maximumSymbols.distances)) + 1024
  }

  /// The bytes that wait for room, at most.
  private static var waiting: Int { 4096 }
  /// The most bytes of a block's header and one more symbol.
  private static var largestStep: Int { 1024 }

  /// Whether the stream is complete, and taken.
  package var isFinished: Bool { state == .end && writer.isEmpty }

  /// Encodes from the front of `input`, parts of the guide and of the content in turn, into the front of `output`.
  ///
  /// No progress means that more input is needed, or more room, or that it has finished.
  package mutating func deflate(
    _ input: RawSpan, into output: inout MutableRawSpan
  ) throws(CodecError) -> CodedBytes {
    var read = 0
    var written = 0
    while true {
      written += writer.take(into: &output, at: written)
      guard writer.isEmpty, written < output.byteCount else { break }
      try encode()
      guard writer.isEmpty else { continue }
      let taken = try take(input.extracting(read...))
      guard taken > 0 else { break }
      read += taken
    }
    return CodedBytes(read: read, written: written)
  }

  // MARK: - Parts

  /// Whether no content follows what is here.
  private var hasAll: Bool {
    if case .content(0) = input { return contentLeft == 0 }
    return false
  }

  private mutating func beginPart() throws(CodecError) {
    guide.reset()
    if contentLeft > UInt64(Guide.partSize) {
      input = .size(0, bits: 0)
    } else {
      try beginGuide(guideLeft)
    }
  }

  private mutating func beginGuide(_ size: UInt64) throws(CodecError) {
    guard size <= guideLeft, size <= UInt64(Guide.maximumPart) else { throw .corrupt }
    guideLeft -= size
    if size > 0 { input = .guide(Int(size)) } else { beginContent() }
  }

  private mutating func beginContent() {
    let size = min(contentLeft, UInt64(Guide.partSize))
    contentLeft -= size
    input = .content(Int(size))
  }

  /// Takes bytes of one part from the front of `bytes`, after everything was encoded that can be; returns how many.
  private mutating func take(_ bytes: RawSpan) throws(CodecError) -> Int {
    switch input {
    case .size(let value, let bits):
      guard bytes.byteCount > 0 else { return 0 }
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: 0, as: UInt8.self)
      // Only the shortest form.
      guard guideLeft > 0, bits < 28, byte > 0 || bits == 0 else { throw .corrupt }
      guideLeft -= 1
      let size = value | UInt64(byte & 0x7f) << bits
      if byte < 0x80 { try beginGuide(size) } else { input = .size(size, bits: bits + 7) }
      return 1
    case .guide(let left):
      let count = min(left, bytes.byteCount)
      guide.append(bytes.extracting(..<count))
      if count == left { beginContent() } else { input = .guide(left - count) }
      return count
    case .content(0):
      guard contentLeft > 0, bytes.byteCount > 0 else { return 0 }
      guard guide.isAtEnd else { throw .corrupt }
      try beginPart()
      return try take(bytes)
    case .content(let left):
      let count = predictor.append(bytes.extracting(..<min(left, bytes.byteCount)))
      input = .content(left - count)
      return count
    }
  }

  /// Encodes as much as there is content, or room, for.
  private mutating func encode() throws(CodecError) {
    while writer.room >= GuidedDeflater.largestStep {
      switch state {
      case .block:
        guard canPredict else { return }
        try beginBlock()
      case .stored(let left):
        let count = min(left, predictor.available, GuidedDeflater.largestStep / 2)
        guard left == 0 || count > 0 else { return try need() }
        for index in 0..<count { writer.append(UInt32(predictor[index]), count: 8) }
        predictor.advance(by: count)
        if count == left { endBlock() } else { state = .stored(left - count) }
      case .run:
        guard canPredict else { return }
        state = .predictions(try guide.number())
      case .predictions(let left):
        guard canPredict else { return }
        if left > 0 {
          guard predictor.available > 0 else { throw .truncated }
          try append(predictor.predict())
          state = .predictions(left - 1)
        } else {
          try correct()
        }
      case .end:
        guard predictor.available == 0, guide.isAtEnd || !hasAll else { throw .corrupt }
        return
      }
    }
  }

  /// No content is left although some is needed.
  private func need() throws(CodecError) {
    if hasAll { throw .truncated }
  }

  /// Whether enough of the content is here for a symbol and what the guide says of it.
  private var canPredict: Bool { hasAll || predictor.available >= MatchPredictor.lookahead }

  // MARK: - Symbols

  private mutating func append(_ match: DeflateMatch?) throws(CodecError) {
    guard let match else {
      try append(literal: Int(predictor[0]))
      return predictor.advance(by: 1)
    }
    let length = Deflate.symbol(ofLength: match.length)
    let distance = Deflate.symbol(ofDistance: match.distance)
    guard let distanceCode = distances.code(distance.number) else { throw .corrupt }
    try append(literal: length.number)
    writer.append(UInt32(length.extra), count: length.extraBits)
    writer.append(distanceCode.bits, count: distanceCode.count)
    writer.append(UInt32(distance.extra), count: distance.extraBits)
    predictor.advance(by: match.length)
  }

  private mutating func append(literal symbol: Int) throws(CodecError) {
    guard let code = literals.code(symbol) else { throw .corrupt }
    writer.append(code.bits, count: code.count)
  }

  /// Encodes what comes instead of a prediction.
  private mutating func correct() throws(CodecError) {
    let correction = try guide.byte()
    var match: DeflateMatch?
    switch correction {
    case Guide.Correction.endOfBlock:
      predictor.forget()
      try append(literal: Deflate.endOfBlock)
      return endBlock()
    case Guide.Correction.literal:
      guard predictor.available > 0 else { throw .truncated }
    case Guide.Correction.match:
      let length = Int(try guide.byte()) + Deflate.lengths.lowerBound
      match = DeflateMatch(length: length, distance: try guide.twoBytes() + Deflate.distances.lowerBound)
    default:
      guard let distance = predictor.nearest(length: Int(correction)) else { throw .corrupt }
      match = DeflateMatch(length: Int(correction), distance: distance)
    }
    if let match {
      guard match.length <= predictor.available, Deflate.distances.contains(match.distance) else {
        throw .corrupt
      }
    }
    predictor.forget()
    try append(match)
    state = .run
  }

  private mutating func endBlock() {
    if isLastBlock { writer.align() }
    state = isLastBlock ? .end : .block
  }

  // MARK: - Headers

  private mutating func beginBlock() throws(CodecError) {
    let header = try guide.byte()
    isLastBlock = header & 1 == 1
    writer.append(UInt32(header & 7), count: 3)
    switch header {
    case 0, 1:
      let size = try guide.twoBytes()
      writer.align()
      writer.append(UInt32(size), count: 16)
      writer.append(UInt32(size ^ 0xffff), count: 16)
      state = .stored(size)
    case 2, 3:
      let lengths = Deflate.fixedLengths
      try assign(lengths.span, literalCount: Deflate.maximumSymbols.literals)
      state = .run
    case 4, 5:
      try readCodes()
      state = .run
    default: throw .corrupt
    }
  }

  private mutating func assign(_ lengths: Span<UInt8>, literalCount: Int) throws(CodecError) {
    guard literals.assign(lengths.extracting(..<literalCount)),
      distances.assign(lengths.extracting(literalCount...))
    else { throw .corrupt }
  }

  /// Reads the codes of a dynamic block, and writes them (RFC 1951, 3.2.7).
  private mutating func readCodes() throws(CodecError) {
    let counts = (literals: try guide.byte(), distances: try guide.byte(), codes: try guide.byte())
    guard counts.literals < 32, counts.distances < 32, counts.codes < 16 else { throw .corrupt }
    writer.append(UInt32(counts.literals), count: 5)
    writer.append(UInt32(counts.distances), count: 5)
    writer.append(UInt32(counts.codes), count: 4)
    let literalCount = Int(counts.literals) + 257
    let count = literalCount + Int(counts.distances) + 1
    guard literalCount <= Deflate.maximumSymbols.literals else { throw .corrupt }
    var codes = HuffmanCode(symbols: 19)
    var codeLengths = InlineArray<19, UInt8>(repeating: 0)
    for index in 0..<Int(counts.codes) + 4 {
      let length = try guide.byte()
      guard length < 8 else { throw .corrupt }
      writer.append(UInt32(length), count: 3)
      codeLengths[Int(Deflate.lengthOrder[index])] = length
    }
    guard codes.assign(codeLengths.span) else { throw .corrupt }
    var lengths = InlineArray<320, UInt8>(repeating: 0)
    var filled = 0
    while filled < count {
      let repeated = try LengthRepeat(guide.byte(), last: filled == 0 ? nil : lengths[filled - 1])
      guard repeated.count <= count - filled, let code = codes.code(repeated.symbol) else { throw .corrupt }
      writer.append(code.bits, count: code.count)
      writer.append(UInt32(repeated.count - repeated.least), count: repeated.extraBits)
      for index in filled..<filled + repeated.count { lengths[index] = repeated.length }
      filled += repeated.count
    }
    try assign(lengths.span.extracting(..<count), literalCount: literalCount)
  }
}

/// Code lengths, as a byte of a guide has them.
private struct LengthRepeat {
  let symbol: Int
  let length: UInt8
  let count: Int
  let least: Int
  let extraBits: Int

  init(_ byte: UInt8, last: UInt8?) throws(CodecError) {
    switch Int(byte) {
    case ..<Guide.Repeat.last:
      (symbol, length, count, least, extraBits) = (Int(byte), byte, 1, 1, 0)
    case ..<Guide.Repeat.zeros:
      guard let last else { throw .corrupt }
      (symbol, length, count, least, extraBits) = (16, last, Int(byte) - Guide.Repeat.last + 3, 3, 2)
    case ..<Guide.Repeat.manyZeros:
      (symbol, length, count, least, extraBits) = (17, 0, Int(byte) - Guide.Repeat.zeros + 3, 3, 3)
    case ..<Guide.Repeat.end:
      (symbol, length, count, least, extraBits) = (18, 0, Int(byte) - Guide.Repeat.manyZeros + 11, 11, 7)
    default: throw .corrupt
    }
  }
}
