import CLZMA
import CZlib

@testable import Codec

/// What this build's zlib allocates, to compare it with what is declared.
extension UnsafeMutablePointer<z_stream> {
  /// Makes zlib count the bytes that it allocates from now on in `count`.
  fileprivate func count(in count: UnsafeMutablePointer<Int>) {
    pointee.opaque = UnsafeMutableRawPointer(count)
    pointee.zalloc = { opaque, items, size in
      opaque?.assumingMemoryBound(to: Int.self).pointee += Int(items) * Int(size)
      return UnsafeMutableRawPointer.allocate(byteCount: Int(items) * Int(size), alignment: 16)
    }
    pointee.zfree = { _, memory in memory?.deallocate() }
  }

  /// The bytes that zlib allocates while `work` runs.
  fileprivate static func measured(_ work: (Self) -> Void) -> UInt64 {
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    count.initialize(to: 0)
    let stream = Self.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    stream.count(in: count)
    work(stream)
    defer {
      stream.deallocate()
      count.deallocate()
    }
    return UInt64(count.pointee + MemoryLayout<z_stream>.size)
  }
}

extension Inflater {
  /// What inflating a stream takes, in bytes.
  static func measuredMemory(_ wrapper: DeflateParameters.Wrapper, bytes: RawSpan) -> UInt64 {
    UnsafeMutablePointer<z_stream>.measured { stream in
      var space: [UInt8] = [0]
      var span = space.mutableSpan
      var room = span.mutableBytes
      _ = tu_zlib_inflate_init(stream, wrapper.zlibWindowBits(MAX_WBITS))
      // The window is allocated when a call ends before the stream does.
      _ = stream.code(bytes, into: &room, at: 0) { CZlib.inflate($0, Z_NO_FLUSH) }
      inflateEnd(stream)
    }
  }
}

extension Deflater {
  /// What deflating with these parameters takes, in bytes.
  static func measuredMemory(_ parameters: DeflateParameters) -> UInt64 {
    UnsafeMutablePointer<z_stream>.measured { stream in
      _ = stream.startDeflating(parameters)
      deflateEnd(stream)
    } + UInt64(reach)
  }
}

extension LZMA2Decoder {
  /// What this build's liblzma says that a decoder takes, in bytes.
  static func measuredMemory(dictionarySize: UInt32) -> UInt64 {
    var options = lzma_options_lzma()
    options.dict_size = dictionarySize
    return withUnsafeMutablePointer(to: &options) { options in
      let filters = [
        lzma_filter(id: tu_lzma_filter_lzma2(), options: options),
        lzma_filter(id: tu_lzma_filter_end(), options: nil),
      ]
      return lzma_raw_decoder_memusage(filters)
    }
  }
}
