internal import Codec

/// Finds the parameters with which zlib makes a given stream.
///
/// A stream does not contain them, so they are tried: those that were right before first, then those that programs use.
/// Streams that were not made by zlib would cost every try, so after two failures in a row a full search is made only for
/// fewer and fewer of the streams that follow.
struct ParameterSearch: ~Copyable {
  private var deflater: Deflater
  private let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
  /// How many times a stream was deflated to compare it.
  private(set) var tries = 0
  private var statistics = DeflateParameters.Wrapper.allCases.map { _ in WrapperStatistics() }

  /// What was learned of the streams with one wrapper.
  private struct WrapperStatistics {
    /// Parameters that were right, the latest first.
    var recent: [DeflateParameters] = []
    /// Full searches that failed.
    var failures = 0
    /// Streams since the last full search.
    var skipped = 0

    var isSearching: Bool { failures < 2 || skipped >= 1 << min(failures, 20) }

    mutating func remember(_ parameters: DeflateParameters) {
      recent.removeAll { $0 == parameters }
      recent = [parameters] + recent.prefix(Tuning.ParameterSearch.maximumRecent - 1)
    }
  }

  init() throws(DeltaCreateError) {
    guard let usual = DeflateParameters(level: 6, wrapper: .raw) else { throw .badOption }
    do throws(CodecError) { deflater = try Deflater(usual) } catch { throw .codec(error) }
  }

  deinit { space.deallocate() }

  /// The parameters, and which part of the stream they make: all of it, or only what the wrapper contains.
  mutating func find(
    _ content: UnsafeBufferPointer<UInt8>, of stream: WrappedStream
  ) throws(DeltaCreateError) -> (parameters: DeflateParameters, range: Range<Int>)? {
    if stream.isZlibsOwn,
      let found = try find(content, of: stream, range: 0..<stream.size, wrapper: stream.wrapper)
    {
      return (found, 0..<stream.size)
    }
    // A wrapper that zlib would write differently is left as it is.
    guard stream.wrapper != .raw, !stream.body.isEmpty,
      stream.wrapper == .gzip || stream.windowBits < 15,
      let found = try find(content, of: stream, range: stream.body, wrapper: .raw)
    else { return nil }
    return (found, stream.body)
  }

  private mutating func find(
    _ content: UnsafeBufferPointer<UInt8>, of stream: WrappedStream, range: Range<Int>,
    wrapper: DeflateParameters.Wrapper
  ) throws(DeltaCreateError) -> DeflateParameters? {
    let number = Int(wrapper.rawValue)
    let extents = stream.all.part(range)
    let recent = statistics[number].recent
    for parameters in recent where try makes(extents, of: stream.file, from: content, parameters: parameters)
    {
      statistics[number].remember(parameters)
      return parameters
    }
    statistics[number].skipped += 1
    guard statistics[number].isSearching else { return nil }
    statistics[number].skipped = 0
    for parameters in ParameterSearch.candidates(stream, wrapper: wrapper) where !recent.contains(parameters)
    {
      guard try makes(extents, of: stream.file, from: content, parameters: parameters) else { continue }
      statistics[number].failures = 0
      statistics[number].remember(parameters)
      return parameters
    }
    statistics[number].failures += 1
    return nil
  }

  /// Whether zlib makes exactly these bytes; stops at the first that differs.
  private mutating func makes(
    _ extents: [Range<Int>], of file: UnsafeBufferPointer<UInt8>, from content: UnsafeBufferPointer<UInt8>,
    parameters: DeflateParameters
  ) throws(DeltaCreateError) -> Bool {
    do throws(CodecError) {
      tries += 1
      try deflater.reset(parameters)
      var taken = 0
      var made = ExtentCursor(file: file, extents: extents)
      while !deflater.isFinished {
        let input = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: content[taken...]))
        var output = MutableRawSpan(_unsafeBytes: space)
        let counts = try deflater.deflate(RawSpan(_unsafeBytes: input), into: &output, isLast: true)
        taken += counts.read
        let bytes = UnsafeRawBufferPointer(rebasing: space[..<counts.written])
        guard made.advance(over: bytes) else { return false }
      }
      return made.isAtEnd
    } catch { throw .codec(error) }
  }
}
