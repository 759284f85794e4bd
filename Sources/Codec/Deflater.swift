internal import CZlib

/// A streaming encoder that makes, bit for bit, the stream that zlib makes in one call.
///
/// "One call" is `deflate` with `Z_FINISH` over the whole content, as `compress2` or Python's `zlib.compress` do it.
/// How a caller splits input and output makes no difference here. To zlib itself it does: it moves its window when it runs
/// out of input less than 262 bytes before the window's end, earlier than in one call, and may then miss the most distant
/// matches. So the bytes right before the window's end are held back until it is reached.
///
/// Owns one `z_stream`, on the heap because zlib's state points back at it.
public struct Deflater: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>
  private let held: UnsafeMutableRawBufferPointer
  /// The part of `held` that zlib has not consumed yet.
  private var heldRange = 0..<0
  /// How many bytes zlib has consumed: more than an `Int` of 32 bits has room for.
  var position: UInt64 = 0
  private var parameters: DeflateParameters
  package private(set) var isFinished = false

  package init(_ parameters: DeflateParameters) throws(CodecError) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    if let error = CodecError(zlib: stream.startDeflating(parameters)) {
      stream.deallocate()
      throw error
    }
    self.stream = stream
    self.parameters = parameters
    held = .allocate(byteCount: Deflater.reach, alignment: 16)
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
    held.deallocate()
  }

  /// Starts the next stream, even in the middle of one.
  ///
  /// Memory is reallocated only if window, `memLevel` or wrapper change.
  package mutating func reset(_ next: DeflateParameters) throws(CodecError) {
    var result = Z_OK
    if next.hasShape(of: parameters) {
      result = deflateReset(stream)
      if result == Z_OK && next != parameters {
        result = deflateParams(stream, CInt(next.level), next.strategy.zlibStrategy)
      }
    } else {
      deflateEnd(stream)
      stream.initialize(to: z_stream())
      result = stream.startDeflating(next)
    }
    if let error = CodecError(zlib: result) { throw error }
    parameters = next
    position = 0
    heldRange = 0..<0
    isFinished = false
  }

  /// Encodes from the front of `input` into the front of `output`.
  ///
  /// `isLast`: nothing follows `input`. No progress means that more input is needed, or more room.
  package mutating func deflate(
    _ input: RawSpan, into output: inout MutableRawSpan, isLast: Bool
  ) throws(CodecError) -> CodedBytes {
    var taken = 0
    var written = 0
    while !isFinished && written < output.byteCount {
      if !heldRange.isEmpty { taken += hold(input.extracting(taken...)) }
      let rest = min(input.byteCount - taken, Deflater.largestCall)
      let isLast = isLast && taken + rest == input.byteCount
      let counts: CodedBytes
      if !heldRange.isEmpty {
        guard isLast || left(heldRange.count) == window else { break }
        let bytes = RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: held[heldRange]))
        counts = try pass(bytes, into: &output, at: written, isLast: isLast && rest == 0)
        heldRange = heldRange.lowerBound + counts.read..<heldRange.upperBound
        if heldRange.isEmpty { heldRange = 0..<0 }
      } else {
        let shown = isLast ? rest : safeCount(of: rest)
        counts = try pass(input.extracting(taken..<taken + shown), into: &output, at: written, isLast: isLast)
        taken += counts.read
        // zlib has everything that it may see: bytes before the window's end wait until that is reached.
        if counts.read == shown && shown < rest { taken += hold(input.extracting(taken...)) }
      }
      written += counts.written
      if counts.read == 0 && counts.written == 0 { break }
    }
    return CodedBytes(read: taken, written: written)
  }

  private mutating func pass(
    _ bytes: RawSpan, into output: inout MutableRawSpan, at offset: Int, isLast: Bool
  ) throws(CodecError) -> CodedBytes {
    let (result, counts) = stream.code(bytes, into: &output, at: offset) {
      CZlib.deflate($0, isLast ? Z_FINISH : Z_NO_FLUSH)
    }
    if let error = CodecError(zlib: result) { throw error }
    position += UInt64(counts.read)
    isFinished = result == Z_STREAM_END
    return counts
  }
}

// MARK: - The end of the window

extension Deflater {
  /// zlib asks for input when it has fewer bytes ahead than these (MIN_LOOKAHEAD), and moves its window if the window's end
  /// is as close.
  private static var lookahead: Int { 262 }
  /// The most bytes that are held back: the input may end one byte before zlib would move its window.
  static var reach: Int { lookahead + 1 }

  /// The most input that one call takes: a whole number of windows.
  private static var largestCall: Int { 1 << 30 }

  private var window: Int { 1 << Int(parameters.windowBits) }

  /// The bytes of the window that follow `count` more bytes; all of them at its end.
  private func left(_ count: Int) -> Int {
    window - Int((position + UInt64(count)) & UInt64(window - 1))
  }

  /// How many of the next `count` bytes zlib may see when more will follow.
  private func safeCount(of count: Int) -> Int {
    let left = left(count)
    return left <= Deflater.lookahead ? max(count - (Deflater.reach - left), 0) : count
  }

  /// Holds back bytes up to the end of the window; returns how many.
  private mutating func hold(_ input: RawSpan) -> Int {
    let left = left(heldRange.count)
    if !heldRange.isEmpty && left == window { return 0 }
    let count = min(input.byteCount, left, held.count - heldRange.upperBound)
    guard count > 0 else { return 0 }
    input.extracting(..<count).withUnsafeBytes { bytes in
      UnsafeMutableRawBufferPointer(rebasing: held[heldRange.upperBound...]).copyMemory(from: bytes)
    }
    heldRange = heldRange.lowerBound..<heldRange.upperBound + count
    return count
  }
}

// MARK: - Memory

extension Deflater {
  /// The most memory that a deflater allocates, in bytes, whatever its parameters.
  package static var maximumMemory: UInt64 { memoryNeeded(windowBits: 15, memLevel: 9) }

  /// The most memory that a deflater with such parameters allocates, in bytes.
  ///
  /// zconf.h: 2^(windowBits + 2) for window and chains, 2^(memLevel + 9) for hash table and pending output, "plus a few
  /// kilobytes for small objects". The figure has room for other versions, because publisher and device must
  /// agree on it. A test compares.
  package static func memoryNeeded(windowBits: UInt8, memLevel: UInt8) -> UInt64 {
    (4 << UInt64(windowBits)) + (512 << UInt64(memLevel)) + (12 << 10)
  }
}

extension DeflateParameters {
  /// Whether zlib's memory has the same layout.
  fileprivate func hasShape(of other: DeflateParameters) -> Bool {
    windowBits == other.windowBits && memLevel == other.memLevel && wrapper == other.wrapper
  }
}

extension UnsafeMutablePointer<z_stream> {
  func startDeflating(_ parameters: DeflateParameters) -> CInt {
    tu_zlib_deflate_init(
      self, CInt(parameters.level), parameters.zlibWindowBits, CInt(parameters.memLevel),
      parameters.strategy.zlibStrategy)
  }
}
