internal import Codec

/// Where a stream is, and what its wrapper says.
struct WrappedStream {
  let all: Extents
  var file: UnsafeBufferPointer<UInt8> { all.file }
  /// The bytes of the stream with its wrapper, from the front of `all`.
  let size: Int
  /// Bytes of the wrapper before the deflate stream itself.
  let header: Int
  let wrapper: DeflateParameters.Wrapper

  /// The deflate stream itself.
  var body: Range<Int> { header..<max(header, size - trailer) }

  /// Where the deflate stream itself is in the file.
  var bodyExtents: [Range<Int>] { all.part(body) }

  private var trailer: Int {
    switch wrapper {
    case .raw: 0
    case .zlib: 4
    case .gzip: 8
    }
  }

  func byte(_ offset: Int) -> UInt8 { file[all.fileOffset(of: offset)] }

  /// Whether the wrapper is one that zlib can write.
  var isZlibsOwn: Bool {
    switch wrapper {
    case .raw: true
    case .zlib: byte(0) >> 4 > 0
    // No flags, no time, made on Unix.
    case .gzip: (3..<8).allSatisfy { byte($0) == 0 } && byte(9) == 3
    }
  }

  /// The window that a zlib header names.
  var windowBits: UInt8 { wrapper == .zlib ? max(byte(0) >> 4 + 8, 9) : 15 }
}

extension WrappedStream {
  /// A stream that was found in a file; nil if it has no wrapper.
  init?(_ stream: DeflateStream, in file: UnsafeBufferPointer<UInt8>) {
    let all = Extents(stream.extents, of: file)
    let header: Int?
    switch stream.wrapper {
    case .raw: header = nil
    case .zlib: header = 2
    case .gzip: header = all.gzipHeader()
    }
    guard let header else { return nil }
    self.init(all: all, size: stream.size, header: header, wrapper: stream.wrapper)
  }
}
