internal import Codec
internal import CodecEncoding
internal import PatchFormat

/// All sections of a patch, compressed: the first ones in memory, the others in a file.
struct CompressedSections {
  private(set) var all: [CompressedSection] = []
  /// 0: no section is LZMA2; the only one is stored, because compressing it saves nothing, or all are sorted.
  private(set) var dictionarySize: UInt32 = 0
  private(set) var largestBlock = 1
  private(set) var largestContent = 0

  struct CompressedSection {
    /// How many bytes of the new file are complete before it.
    let completed: UInt64
    let size: Int
    /// Whether its bytes are sorted, instead of compressed as LZMA2.
    let isSorted: Bool
    fileprivate let storage: Storage
  }

  /// Where the compressed bytes are.
  fileprivate enum Storage {
    case memory([UInt8])
    case file(SectionFile, offset: UInt64)
  }

  var hasSortedSections: Bool { all.contains { $0.isSorted } }

  /// The bytes of all sections.
  var size: Int { all.reduce(0) { $0 + $1.size } }

  /// Those of the bytes that are in memory.
  var bytesInMemory: Int {
    all.reduce(0) { if case .memory(let stream) = $1.storage { $0 + stream.count } else { $0 } }
  }

  /// The compressed bytes of one of the sections.
  func stream(of section: CompressedSection) throws(DeltaCreateError) -> [UInt8] {
    switch section.storage {
    case .memory(let stream): return stream
    case .file(let file, let offset): return try file.read(section.size, at: offset)
    }
  }

  /// Encodes and compresses a script, with at most the dictionary of the options.
  ///
  /// Nil if the result would have `limit` bytes or more.
  init?(
    _ script: PatchScript, model: LZMAModel, options: PatchMaker.Options, below limit: Int
  ) throws(DeltaCreateError) {
    var packed: [CompressedSection] = []
    var size = 0
    var file: SectionFile?
    var longest = 0
    var small: [UInt8]?
    var waiting: [Section] = []
    /// Compresses the sections that wait; returns whether to continue.
    func compressWaiting() throws(DeltaCreateError) -> Bool {
      let streams = try options.processors.mapLargestFirst(waiting, size: \.bytes.count) {
        (section) throws(DeltaCreateError) in
        try CompressedSections.compress(section, model: model, options: options, below: limit - size)
      }
      for (section, stream) in zip(waiting, streams) {
        guard let stream, size + stream.count < limit else { return false }
        size += stream.count
        let storage = try Storage(stream, isLarge: size > options.packedInMemory, &file, options)
        packed.append(
          CompressedSection(
            completed: section.completed, size: stream.count, isSorted: false, storage: storage))
        longest = max(longest, section.bytes.count)
        // A stored section is one frame.
        small =
          packed.count == 1
            && section.bytes.count <= min(CompressedSections.largestStored, Int(options.payloadSize))
          ? section.bytes : nil
      }
      waiting = []
      return true
    }
    let sizes = try ScriptEncoder.encode(script, options: options) { (section) throws(DeltaCreateError) in
      waiting.append(section)
      return CompressedSections.isBatch(waiting, for: options.processors) ? try compressWaiting() : true
    }
    guard let sizes, try compressWaiting() else { return nil }
    largestBlock = sizes.largestBlock
    largestContent = sizes.largestContent
    if let small, let only = packed.first, small.count <= only.size {
      all = [
        CompressedSection(
          completed: only.completed, size: small.count, isSorted: false, storage: .memory(small))
      ]
    } else {
      all = packed
      dictionarySize = CompressedSections.dictionarySize(longest, options: options)
    }
  }

  /// Sorts the sections of a script.
  ///
  /// - `compressed`: the same sections as LZMA2, which are kept where sorting is not worth it; nil: all are sorted.
  ///
  /// Nil if the result would have `limit` bytes or more.
  init?(
    sorting script: PatchScript, unless compressed: CompressedSections?, options: PatchMaker.Options,
    below limit: Int
  ) throws(DeltaCreateError) {
    var sections: [CompressedSection] = []
    var size = 0
    var file: SectionFile?
    var waiting: [(section: Section, other: CompressedSection?)] = []
    /// Sorts the sections that wait; returns whether to continue.
    func sortWaiting() throws(DeltaCreateError) -> Bool {
      let streams = options.processors.mapLargestFirst(waiting, size: \.section.bytes.count) {
        (section, other) in
        let most = other.map { CompressedSections.worthSorting($0.size) } ?? .max
        return SortedSection.compress(
          section.bytes, below: min(most, limit - size), processors: options.processors)
      }
      for ((section, other), stream) in zip(waiting, streams) {
        guard stream != nil || other != nil else { return false }
        size += stream?.count ?? other?.size ?? 0
        if let stream {
          let storage = try Storage(stream, isLarge: size > options.packedInMemory, &file, options)
          sections.append(
            CompressedSection(
              completed: section.completed, size: stream.count, isSorted: true, storage: storage))
        } else if let other {
          sections.append(other)
        }
      }
      waiting = []
      return size < limit
    }
    let sizes = try ScriptEncoder.encode(script, options: options) { (section) throws(DeltaCreateError) in
      waiting.append((section, compressed?.all[sections.count + waiting.count]))
      let isBatch = CompressedSections.isBatch(waiting.map(\.section), for: options.processors)
      return isBatch ? try sortWaiting() : true
    }
    guard let sizes, try sortWaiting() else { return nil }
    all = sections
    largestBlock = sizes.largestBlock
    largestContent = sizes.largestContent
    if let compressed, !all.allSatisfy({ $0.isSorted }) { dictionarySize = compressed.dictionarySize }
  }

  /// The first one if they are as small.
  static func smaller(_ first: CompressedSections, _ second: CompressedSections?) -> CompressedSections {
    if let second, second.size < first.size { second } else { first }
  }

  /// Whether sections are enough to be compressed side by side: two for each thread, as some take longer than others, or
  /// as many as memory is counted for.
  private static func isBatch(_ sections: [Section], for processors: Processors) -> Bool {
    guard processors.mayHelp else { return true }
    return sections.count >= 2 * processors.threads
      || sections.reduce(0) { $0 + $1.bytes.count } >= CompressedSections.mostWaiting
  }

  /// Bytes of sections that wait: four of the largest.
  private static var mostWaiting: Int { 16 << 20 }

  private static func compress(
    _ section: Section, model: LZMAModel, options: PatchMaker.Options, below limit: Int
  ) throws(DeltaCreateError) -> [UInt8]? {
    do throws(CodecError) {
      return try LZMAEncoder.encode(
        section.bytes.span.bytes,
        dictionarySize: CompressedSections.dictionarySize(section.bytes.count, options: options),
        model: model, below: limit)
    } catch { throw .codec(error) }
  }

  /// What a fast compressor makes of the blocks of a section.
  static func fastSize(
    of blocks: [UInt8], model: LZMAModel, options: PatchMaker.Options
  ) throws(DeltaCreateError) -> Int {
    guard !blocks.isEmpty else { return 0 }
    do throws(CodecError) {
      let size = try LZMAEncoder.estimate(
        blocks.span.bytes, dictionarySize: dictionarySize(blocks.count, options: options), model: model)
      // A small section may be stored.
      return blocks.count <= largestStored ? min(size, blocks.count) : size
    } catch { throw .codec(error) }
  }

  /// A dictionary larger than the longest section would only cost memory, here and on the device.
  private static func dictionarySize(_ longest: Int, options: PatchMaker.Options) -> UInt32 {
    min(options.dictionarySize, DictionaryCode.rounded(UInt32(clamping: longest)))
  }

  /// The size below which a sorted section is worth it, instead of one of that size: decoding it takes longer.
  static func worthSorting(_ size: Int) -> Int { size - size / 32 }

  /// Sections of at most this size may be smaller uncompressed.
  private static var largestStored: Int { 4096 }
}

extension CompressedSections.Storage {
  /// - `isLarge`: whether there is too much in memory already.
  /// - `file`: where large sections lie; made when the first one comes.
  fileprivate init(
    _ stream: [UInt8], isLarge: Bool, _ file: inout SectionFile?, _ options: PatchMaker.Options
  ) throws(DeltaCreateError) {
    guard isLarge, let directory = options.workDirectory else {
      self = .memory(stream)
      return
    }
    let sections: SectionFile
    if let file { sections = file } else { sections = try SectionFile(in: directory) }
    file = sections
    self = .file(sections, offset: try sections.append(stream))
  }
}
