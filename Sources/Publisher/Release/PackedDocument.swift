internal import Codec
internal import CodecEncoding
internal import Crypto
internal import Platform

/// A document of a catalog as it is served: one `.xz` stream.
struct PackedDocument {
  let bytes: [UInt8]
  let digest: Digest

  /// The largest LZMA2 dictionary in bytes, as of `docs/format/catalog.md`: of a part, and of a catalog.
  static let (partDictionary, catalogDictionary) = (256 << 10, 1 << 20)

  /// - `dictionary`: bytes of the largest dictionary; a smaller one is used if the text is shorter.
  /// - `path`: of the file that it is for, for errors.
  init(_ text: String, dictionary: Int, path: String) throws(PublisherError) {
    let input = Array(text.utf8)
    var size = 32 << 10
    while size < min(input.count, dictionary) { size <<= 1 }
    let bytes: [UInt8]
    do throws(CodecError) { bytes = try PackedDocument.pack(input, dictionarySize: UInt32(size)) } catch {
      throw .library(.compression(path: path, error))
    }
    self.bytes = bytes
    do throws(HasherError) { digest = try Hasher.digest(of: bytes.span.bytes) } catch {
      throw .library(.hashing(path: path))
    }
  }

  private static func pack(_ input: [UInt8], dictionarySize: UInt32) throws(CodecError) -> [UInt8] {
    var encoder = try LZMAEncoder(xzPreset: 9, dictionarySize: dictionarySize)
    var buffer = Buffer(count: 64 << 10)
    var (packed, done) = ([] as [UInt8], 0)
    while !encoder.isFinished {
      var space = buffer.mutableBytes
      let counts = try encoder.encode(input.span.bytes.extracting(done...), into: &space, isLast: true)
      done += counts.read
      buffer.bytes.extracting(0..<counts.written).withUnsafeBytes { packed.append(contentsOf: $0) }
    }
    return packed
  }
}
