internal import Codec
internal import CodecEncoding
internal import DeltaApply

/// Measures how many bytes a column takes if it is compressed alone, without keeping any of them.
final class ColumnMeter {
  private var encoder: LZMAEncoder
  private var room = [UInt8](repeating: 0, count: 64 << 10)
  private var packedSize: UInt64 = 0
  /// Bytes so far.
  private(set) var size: UInt64 = 0

  /// - `dictionarySize`: of the patch; 0 if nothing in it is compressed.
  init(dictionarySize: UInt32) throws(DeltaError) {
    let dictionarySize = dictionarySize == 0 ? ColumnMeter.largestDictionary : dictionarySize
    do throws(CodecError) {
      encoder = try LZMAEncoder(
        LZMAModel(lc: 3, lp: 0, pb: 0), dictionarySize: min(dictionarySize, ColumnMeter.largestDictionary))
    } catch { throw .codec(error) }
  }

  func add(_ bytes: RawSpan) throws(DeltaError) {
    size += UInt64(bytes.byteCount)
    var taken = 0
    while taken < bytes.byteCount { taken += try encode(bytes.extracting(taken...), isLast: false) }
  }

  /// Ends the column; its compressed size, 0 if it is empty.
  func finish() throws(DeltaError) -> UInt64 {
    guard size > 0 else { return 0 }
    let none: [UInt8] = []
    while !encoder.isFinished { _ = try encode(none.span.bytes, isLast: true) }
    return packedSize
  }

  private func encode(_ bytes: RawSpan, isLast: Bool) throws(DeltaError) -> Int {
    do throws(CodecError) {
      var span = room.mutableSpan
      var output = span.mutableBytes
      let counts = try encoder.encode(bytes, into: &output, isLast: isLast)
      packedSize += UInt64(counts.written)
      return counts.read
    } catch { throw .codec(error) }
  }

  /// An encoder takes about twelve times as much, and there is one for each column.
  static var largestDictionary: UInt32 { 1 << 20 }
}
