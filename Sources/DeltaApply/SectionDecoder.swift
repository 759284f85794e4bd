internal import Codec

/// Decodes sections: LZMA2, or stored bytes, whose section is one frame.
struct SectionDecoder: ~Copyable {
  /// Nil: sections are stored.
  private var lzma: LZMA2Decoder?
  private var isStoredEnd = false

  /// 0 for stored sections.
  init(dictionarySize: UInt32) throws(DeltaError) {
    if dictionarySize > 0 {
      do throws(CodecError) { lzma = try LZMA2Decoder(dictionarySize: dictionarySize) } catch {
        throw .codec(error)
      }
    }
  }

  /// Whether the section's last byte was decoded.
  var isFinished: Bool {
    switch lzma {
    case .some(let lzma): lzma.isFinished
    case .none: isStoredEnd
    }
  }

  /// Starts the next section.
  mutating func reset() throws(DeltaError) {
    isStoredEnd = false
    guard lzma != nil else { return }
    // swift-format-ignore: NeverForceUnwrap
    do throws(CodecError) { try lzma!.reset() } catch { throw .codec(error) }
  }

  /// Decodes from the front of `input`, which extends to the end of a frame, into the front of `output`.
  mutating func decode(_ input: RawSpan, into output: inout MutableRawSpan) throws(DeltaError) -> CodedBytes {
    guard lzma != nil else { return store(input, into: &output) }
    // swift-format-ignore: NeverForceUnwrap
    do throws(CodecError) { return try lzma!.decode(input, into: &output) } catch { throw .codec(error) }
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
