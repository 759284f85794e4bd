internal import Codec

/// Decodes sections: LZMA2, sorted bytes, or stored bytes, whose section is one frame.
struct SectionDecoder: ~Copyable {
  /// 0: sections that are not sorted are stored.
  private let dictionarySize: UInt32
  // At most one of both is there.
  private var lzma: LZMA2Decoder?
  private var bwt: BWTDecoder?
  private var isStoredEnd = false

  init(dictionarySize: UInt32) { self.dictionarySize = dictionarySize }

  /// Whether the section's last byte was decoded.
  var isFinished: Bool {
    switch bwt {
    case .some(let bwt): return bwt.isFinished
    case .none: break
    }
    switch lzma {
    case .some(let lzma): return lzma.isFinished
    case .none: return isStoredEnd
    }
  }

  /// Starts a section.
  mutating func start(isSorted: Bool) throws(DeltaError) {
    isStoredEnd = false
    if isSorted {
      lzma = nil
      if bwt == nil { bwt = BWTDecoder() }
      bwt?.reset()
      return
    }
    bwt = nil
    guard dictionarySize > 0 else { return }
    do throws(CodecError) {
      if lzma == nil { lzma = try LZMA2Decoder(dictionarySize: dictionarySize) } else { try lzma?.reset() }
    } catch { throw .codec(error) }
  }

  /// Decodes from the front of `input`, which extends to the end of a frame, into the front of `output`.
  mutating func decode(_ input: RawSpan, into output: inout MutableRawSpan) throws(DeltaError) -> CodedBytes {
    do throws(CodecError) {
      // swift-format-ignore: NeverForceUnwrap
      if bwt != nil { return try bwt!.decode(input, into: &output) }
      // swift-format-ignore: NeverForceUnwrap
      if lzma != nil { return try lzma!.decode(input, into: &output) }
    } catch { throw .codec(error) }
    return store(input, into: &output)
  }

  private mutating func store(_ input: RawSpan, into output: inout MutableRawSpan) -> CodedBytes {
    let count = min(input.byteCount, output.byteCount)
    output.withUnsafeMutableBytes { output in
      input.extracting(0..<count).withUnsafeBytes { output.copyMemory(from: $0) }
    }
    isStoredEnd = count == input.byteCount
    return CodedBytes(read: count, written: count)
  }
}
