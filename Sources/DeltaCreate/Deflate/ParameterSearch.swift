internal import Codec
internal import Glibc

/// Where a stream stands, and what its wrapper says.
struct StreamPlace {
  let file: UnsafeBufferPointer<UInt8>
  let all: Extents
  /// The bytes of the stream with its wrapper, from the front of `all`.
  let size: Int
  /// Bytes of the wrapper before the deflate stream itself.
  let header: Int
  let wrapper: DeflateParameters.Wrapper

  /// The deflate stream itself.
  var body: Range<Int> { header..<max(header, size - trailer) }

  private var trailer: Int {
    switch wrapper {
    case .raw: 0
    case .zlib: 4
    case .gzip: 8
    }
  }

  func byte(_ offset: Int) -> UInt8 { file[all.place(of: offset)] }

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

/// Finds the parameters with which zlib makes a given stream.
///
/// zlib writes nothing down that would tell them, so they are tried: those that were right before first, then those that
/// programs use. Streams that were made by something else would cost every try, so after two failures in a row a whole search is
/// made only for ever fewer of the streams that follow.
struct ParameterSearch: ~Copyable {
  private var deflater: Deflater
  private let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
  /// How many times a stream was made to compare it.
  private(set) var tries = 0
  private var families = DeflateParameters.Wrapper.allCases.map { _ in Family() }

  /// What was learned of the streams with one wrapper.
  private struct Family {
    /// Parameters that were right, the last ones first.
    var recent: [DeflateParameters] = []
    /// Whole searches that failed.
    var failures = 0
    /// Streams since the last whole search.
    var skipped = 0

    var isSearching: Bool { failures < 2 || skipped >= 1 << min(failures, 20) }
  }

  /// How many parameters that were right before are tried first.
  private static var maximumRecent: Int { 3 }

  init() throws(DeltaCreateError) {
    guard let usual = DeflateParameters(level: 6, wrapper: .raw) else { throw .badOption }
    do throws(CodecError) { deflater = try Deflater(usual) } catch { throw .codec(error) }
  }

  deinit { space.deallocate() }

  /// The parameters, and which part of the stream they make: all of it, or only what is within the wrapper.
  mutating func find(
    _ content: UnsafeBufferPointer<UInt8>, _ place: StreamPlace
  ) throws(DeltaCreateError) -> (parameters: DeflateParameters, range: Range<Int>)? {
    if place.isZlibsOwn, let found = try find(content, place, 0..<place.size, place.wrapper) {
      return (found, 0..<place.size)
    }
    // A wrapper that zlib would write in another way stays as it is.
    guard place.wrapper != .raw, !place.body.isEmpty,
      place.wrapper == .gzip ? !place.isZlibsOwn : place.windowBits < 15,
      let found = try find(content, place, place.body, .raw)
    else { return nil }
    return (found, place.body)
  }

  private mutating func find(
    _ content: UnsafeBufferPointer<UInt8>, _ place: StreamPlace, _ range: Range<Int>,
    _ wrapper: DeflateParameters.Wrapper
  ) throws(DeltaCreateError) -> DeflateParameters? {
    let number = Int(wrapper.rawValue)
    let extents = place.all.part(range)
    let recent = families[number].recent
    for parameters in recent where try makes(extents, place.file, content, parameters) {
      families[number].recent.removeAll { $0 == parameters }
      families[number].recent.insert(parameters, at: 0)
      return parameters
    }
    families[number].skipped += 1
    guard families[number].isSearching else { return nil }
    families[number].skipped = 0
    for parameters in ParameterSearch.candidates(place, wrapper) where !recent.contains(parameters) {
      guard try makes(extents, place.file, content, parameters) else { continue }
      families[number].failures = 0
      families[number].recent.insert(parameters, at: 0)
      if families[number].recent.count > ParameterSearch.maximumRecent {
        families[number].recent.removeLast()
      }
      return parameters
    }
    families[number].failures += 1
    return nil
  }

  /// Whether zlib makes exactly these bytes; stops at the first that differs.
  private mutating func makes(
    _ extents: [Range<Int>], _ file: UnsafeBufferPointer<UInt8>, _ content: UnsafeBufferPointer<UInt8>,
    _ parameters: DeflateParameters
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

/// Compares bytes with those of some extents, piece by piece.
private struct ExtentCursor {
  let file: UnsafeBufferPointer<UInt8>
  var extents: [Range<Int>]
  var index = 0

  init(file: UnsafeBufferPointer<UInt8>, extents: [Range<Int>]) {
    self.file = file
    self.extents = extents
  }

  var isAtEnd: Bool { index == extents.count }

  /// Goes on if the next bytes are these; false if they are not.
  mutating func advance(over bytes: UnsafeRawBufferPointer) -> Bool {
    var compared = 0
    while compared < bytes.count {
      guard index < extents.count else { return false }
      let extent = extents[index]
      let count = min(bytes.count - compared, extent.count)
      let part = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: file[extent.prefix(count)]))
      guard let there = part.baseAddress, let here = bytes.baseAddress,
        memcmp(there, here + compared, count) == 0
      else { return false }
      compared += count
      extents[index] = extent.lowerBound + count..<extent.upperBound
      if extents[index].isEmpty { index += 1 }
    }
    return true
  }
}

// MARK: - What is tried

extension ParameterSearch {
  /// The parameters that programs use, the likeliest first, without those that the header rules out.
  private static func candidates(
    _ place: StreamPlace, _ wrapper: DeflateParameters.Wrapper
  ) -> [DeflateParameters] {
    var bits: [UInt8] = [15]
    if wrapper == .zlib { bits = [place.windowBits] }
    if wrapper == .raw && place.wrapper == .zlib { bits = [15, place.windowBits] }
    var result: [DeflateParameters] = []
    func add(_ levels: [UInt8], _ memLevels: [UInt8], _ strategy: DeflateParameters.Strategy) {
      for windowBits in bits {
        for memLevel in memLevels {
          for level in levels {
            let parameters = DeflateParameters(
              level: level, windowBits: windowBits, memLevel: memLevel, strategy: strategy, wrapper: wrapper)
            guard let parameters, isPossible(parameters, place) else { continue }
            result.append(parameters)
          }
        }
      }
    }
    add([6, 9, 1, 5, 7, 8, 2, 3, 4], [8, 9], .normal)
    // PNG: libpng filters and says so.
    if place.wrapper == .zlib { add([6, 9, 7, 8, 5, 4, 3, 2, 1], [8, 9], .filtered) }
    add([1], [8, 9], .huffmanOnly)
    add([1], [8, 9], .rle)
    add([1], [8], .fixed)
    return result
  }

  /// Whether zlib would write this header with these parameters.
  private static func isPossible(_ parameters: DeflateParameters, _ place: StreamPlace) -> Bool {
    let isFastest = parameters.level == 1 || [.huffmanOnly, .rle, .fixed].contains(parameters.strategy)
    switch parameters.wrapper {
    case .raw: return true
    case .zlib:
      // RFC 1950, FLEVEL, as zlib sets it.
      let named: UInt8 =
        isFastest ? 0 : parameters.level < 6 ? 1 : parameters.level == 6 ? 2 : 3
      return place.byte(1) >> 6 == named
    case .gzip:
      // RFC 1952, XFL, as zlib sets it.
      let named: UInt8 = parameters.level == 9 ? 2 : isFastest ? 4 : 0
      return place.byte(8) == named
    }
  }
}
