internal import Codec

extension ParameterSearch {
  /// The parameters that programs use, the most likely first, without those that the header excludes.
  static func candidates(
    _ stream: WrappedStream, wrapper: DeflateParameters.Wrapper
  ) -> [DeflateParameters] {
    var bits: [UInt8] = [15]
    if wrapper == .zlib { bits = [stream.windowBits] }
    if wrapper == .raw && stream.wrapper == .zlib { bits = [15, stream.windowBits] }
    var result: [DeflateParameters] = []
    func add(_ levels: [UInt8], memLevels: [UInt8], strategy: DeflateParameters.Strategy) {
      for windowBits in bits {
        for memLevel in memLevels {
          for level in levels {
            let parameters = DeflateParameters(
              level: level, windowBits: windowBits, memLevel: memLevel, strategy: strategy, wrapper: wrapper)
            guard let parameters, isPossible(parameters, for: stream) else { continue }
            result.append(parameters)
          }
        }
      }
    }
    add([6, 9, 1, 5, 7, 8, 2, 3, 4], memLevels: [8, 9], strategy: .normal)
    // PNG: libpng filters the pixels, and passes this strategy to zlib.
    if stream.wrapper == .zlib { add([6, 9, 7, 8, 5, 4, 3, 2, 1], memLevels: [8, 9], strategy: .filtered) }
    add([1], memLevels: [8, 9], strategy: .huffmanOnly)
    add([1], memLevels: [8, 9], strategy: .rle)
    add([1], memLevels: [8], strategy: .fixed)
    return result
  }

  /// Whether zlib would write this header with these parameters.
  private static func isPossible(_ parameters: DeflateParameters, for stream: WrappedStream) -> Bool {
    switch parameters.wrapper {
    case .raw:
      // What the header allows was tried with it.
      return stream.wrapper != .gzip || !stream.isZlibsOwn || !agrees(parameters, withFlagsOf: stream)
    case .zlib:
      // RFC 1950, FLEVEL, as zlib sets it.
      let named: UInt8 =
        parameters.isFastest ? 0 : parameters.level < 6 ? 1 : parameters.level == 6 ? 2 : 3
      return stream.byte(1) >> 6 == named
    case .gzip: return agrees(parameters, withFlagsOf: stream)
    }
  }

  /// Whether zlib would set the flags of this gzip header (RFC 1952, XFL) with these parameters.
  private static func agrees(_ parameters: DeflateParameters, withFlagsOf stream: WrappedStream) -> Bool {
    stream.byte(8) == (parameters.level == 9 ? 2 : parameters.isFastest ? 4 : 0)
  }
}

extension DeflateParameters {
  /// Whether zlib takes the least time with them, which headers say.
  fileprivate var isFastest: Bool { level == 1 || [.huffmanOnly, .rle, .fixed].contains(strategy) }
}
