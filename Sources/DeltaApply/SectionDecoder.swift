internal import Codec

/// Unpacks sections: LZMA2, or bytes as they are, whose section is one frame.
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

  /// Whether the section's last byte was given.
  var isFinished: Bool {
    switch lzma {
    case .some(let lzma): lzma.isFinished
    case .none: isStoredEnd
    }
  }

  /// Gets ready for the next section.
  mutating func reset() throws(DeltaError) {
    isStoredEnd = false
    guard lzma != nil else { return }
    // swift-format-ignore: NeverForceUnwrap
    do throws(CodecError) { try lzma!.reset() } catch { throw .codec(error) }
  }

  /// Unpacks from the front of `input`, which goes to the end of a frame, into the front of `output`.
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
