internal import Codec

/// Finds the deflate streams of a file.
///
/// In SQLite databases it searches blobs, which can be scattered over pages (`DeflateFinder+SQLite.swift`); in other files
/// all bytes (`DeflateFinder+Contiguous.swift`). The bytes are not trusted: each offset and length in them is checked, and a
/// stream counts only if it inflates to its end.
package struct DeflateFinder: ~Copyable {
  /// What the streams are for.
  package enum Purpose {
    /// To copy from them: it is enough that they can be inflated.
    case source
    /// To rebuild them: their parameters are searched for.
    case target
  }

  let file: UnsafeBufferPointer<UInt8>
  private let purpose: Purpose
  private var reader: ContentReader
  private var search: ParameterSearch
  private var guides = GuideSearch()
  private let maximumContent: Int
  private let maximumExtents: Int
  private let content: UnsafeMutableBufferPointer<UInt8>
  private var streams: [DeflateStream] = []
  private var large: [DeflateStream] = []
  private var extentCount = 0
  /// Where the search stopped; nil if all of the file was searched.
  private var end: Int?
  /// Bytes read and written for what turned out not to be a stream, and read of streams with too much content.
  var wasted = 0

  private init(
    _ file: UnsafeBufferPointer<UInt8>, purpose: Purpose, maximumContent: Int, maximumExtents: Int
  ) throws(DeltaCreateError) {
    let reader = try ContentReader(file)
    let search = try ParameterSearch()
    self.file = file
    self.purpose = purpose
    self.reader = reader
    self.search = search
    content = .allocate(capacity: maximumContent)
    self.maximumContent = maximumContent
    self.maximumExtents = maximumExtents
  }

  deinit { content.deallocate() }

  /// What was found in a file.
  package struct Findings {
    /// In the order of where they begin in the file.
    package let streams: [DeflateStream]
    /// Streams with more content than was searched for, whose parameters are not known.
    package let large: [DeflateStream]
    /// How many bytes at the end of the file were not searched.
    package let unsearched: Int
  }

  /// Searches a file for streams with at most `maximumContent` bytes each, and `maximumExtents` extents together.
  package static func search(
    _ file: UnsafeBufferPointer<UInt8>, for purpose: Purpose,
    maximumContent: Int = DeflateLimits.maximumContent, maximumExtents: Int = .max
  ) throws(DeltaCreateError) -> Findings {
    var finder = try DeflateFinder(
      file, purpose: purpose, maximumContent: maximumContent, maximumExtents: maximumExtents)
    if let database = SQLiteDatabase(file) {
      try finder.search(database)
    } else {
      try finder.searchContiguous()
    }
    return Findings(
      streams: DeflateFinder.withoutOverlaps(finder.streams), large: finder.large,
      unsearched: finder.end.map { file.count - $0 } ?? 0)
  }

  /// Whether to stop before the byte at `offset`: enough was found, or too many bytes were wasted on what only looked like a
  /// stream.
  mutating func stops(at offset: Int) -> Bool {
    let isFull =
      end != nil || extentCount >= maximumExtents || wasted > DeflateLimits.maximumWaste + file.count * 8
    if isFull && end == nil { end = offset }
    return isFull
  }

  /// What was found at an offset.
  enum Finding {
    /// No stream begins here.
    case none
    /// A stream of that many bytes, whether or not it is listed.
    case stream(bytes: Int)
    /// A stream with too much content, followed for that many bytes: to its end, unless it is damaged.
    case large(bytes: Int)
  }

  /// Searches for a stream at the front of `extents`, and lists it.
  ///
  /// - `header`: the bytes of the wrapper that precede the deflate stream itself.
  /// - `size`, `contentSize`: as the bytes around the stream specify them; nil if they do not.
  mutating func take(
    _ extents: [Range<Int>], wrapper: DeflateParameters.Wrapper, header: Int = 0,
    size: Int? = nil, contentSize: Int? = nil
  ) throws(DeltaCreateError) -> Finding {
    let found = try reader.inflate(extents, wrapper: wrapper, into: content, limit: maximumContent)
    if !found.isWhole && found.written == maximumContent {
      return try takeLarge(extents, wrapper: wrapper, header: header, size: size, contentSize: contentSize)
    }
    guard found.isWhole, size == nil || size == found.read, contentSize == nil || contentSize == found.written
    else {
      wasted += header + found.read + found.written
      return .none
    }
    let finding = Finding.stream(bytes: found.read)
    guard found.read >= DeflateLimits.minimumStream, found.written >= DeflateLimits.minimumContent else {
      return finding
    }
    // Asked for only now: most files have no streams.
    guard purpose == .source || ZlibIdentity.isKnown else {
      end = 0
      return finding
    }
    let all = Extents(extents, of: file)
    let wrapped = WrappedStream(all: all, size: found.read, header: header, wrapper: wrapper)
    let bytes = UnsafeBufferPointer(rebasing: content[..<found.written])
    let match = purpose == .target ? try search.find(bytes, of: wrapped) : nil
    let guide = purpose == .target && match == nil ? guides.find(bytes, of: wrapped) : nil
    let range = match?.range ?? (guide == nil ? 0..<found.read : wrapped.body)
    let listed = DeflateStream(
      extents: all.part(range), contentSize: found.written,
      wrapper: match?.parameters.wrapper ?? (guide == nil ? wrapper : .raw), parameters: match?.parameters,
      guide: guide)
    guard listed.extents.count <= maximumExtents - extentCount else {
      extentCount = maximumExtents
      end = listed.begin
      return finding
    }
    extentCount += listed.extents.count
    streams.append(listed)
    return finding
  }

  /// Follows a stream with too much content to its end.
  private mutating func takeLarge(
    _ extents: [Range<Int>], wrapper: DeflateParameters.Wrapper, header: Int, size: Int?, contentSize: Int?
  ) throws(DeltaCreateError) -> Finding {
    let found = try reader.follow(extents, wrapper: wrapper, through: content)
    wasted += header + found.read
    if found.isWhole, size == nil || size == found.read, contentSize == nil || contentSize == found.written {
      large.append(
        DeflateStream(
          extents: Extents(extents, of: file).part(0..<found.read), contentSize: found.written,
          wrapper: wrapper, parameters: nil))
    }
    return .large(bytes: found.read)
  }

  /// Sorts the streams by where they begin, and drops each that shares a byte with one that was found earlier.
  static func withoutOverlaps(_ streams: [DeflateStream]) -> [DeflateStream] {
    var extents: [(range: Range<Int>, stream: Int)] = []
    for (number, stream) in streams.enumerated() {
      for extent in stream.extents { extents.append((extent, number)) }
    }
    extents.sort { ($0.range.lowerBound, $0.stream) < ($1.range.lowerBound, $1.stream) }
    var isDropped = [Bool](repeating: false, count: streams.count)
    var last: (end: Int, stream: Int) = (0, -1)
    for extent in extents where !isDropped[extent.stream] {
      if extent.range.lowerBound < last.end && !isDropped[last.stream] {
        let loser = max(extent.stream, last.stream)
        isDropped[loser] = true
        if loser == extent.stream { continue }
      }
      last = (extent.range.upperBound, extent.stream)
    }
    return zip(streams, isDropped).filter { !$0.1 }.map(\.0)
      .sorted { ($0.extents.first?.lowerBound ?? 0) < ($1.extents.first?.lowerBound ?? 0) }
  }
}
