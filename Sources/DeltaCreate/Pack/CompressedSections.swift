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

  /// Which sections are sorted.
  enum Sorting {
    case none
    /// Those where that saves so much that it is worth what decoding takes.
    case worthIt
    /// Those that are at all smaller sorted, by what decoding is worth in a small patch.
    case smaller
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
    _ script: PatchScript, model: LZMAModel, sorting: Sorting = .none, options: PatchMaker.Options,
    below limit: Int
  ) throws(DeltaCreateError) {
    var size = 0
    var file: SectionFile?
    var longest = 0
    var small: [UInt8]?
    var waiting: [Section] = []
    /// Compresses the sections that wait; returns whether to continue.
    func compressWaiting() throws(DeltaCreateError) -> Bool {
      let streams = try options.processors.map(waiting) { (section) throws(DeltaCreateError) in
        try CompressedSections.compress(
          section, model: model, sorting: sorting, options: options, below: limit - size)
      }
      for (section, stream) in zip(waiting, streams) {
        guard let stream, size + stream.bytes.count < limit else { return false }
        size += stream.bytes.count
        let storage = try Storage(stream.bytes, isLarge: size > options.packedInMemory, &file, options)
        all.append(
          CompressedSection(
            completed: section.completed, size: stream.bytes.count, isSorted: stream.isSorted,
            storage: storage))
        if !stream.isSorted { longest = max(longest, section.bytes.count) }
        // A stored section is one frame.
        let mayBeStored =
          section.bytes.count <= min(Tuning.CompressedSections.largestStored, Int(options.payloadSize))
        small = all.count == 1 && mayBeStored ? section.bytes : nil
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
    if let small, let only = all.first, small.count <= only.size {
      all = [
        CompressedSection(
          completed: only.completed, size: small.count, isSorted: false, storage: .memory(small))
      ]
    } else if longest > 0 {
      dictionarySize = CompressedSections.dictionarySize(longest, options: options)
    }
  }

  /// Whether sections are enough to be compressed side by side: two for each thread, as some take longer than others, or
  /// as many as memory is counted for.
  private static func isBatch(_ sections: [Section], for processors: Processors) -> Bool {
    guard processors.mayHelp else { return true }
    return sections.count >= 2 * processors.threads
      || sections.reduce(0) { $0 + $1.bytes.count } >= Tuning.CompressedSections.mostWaiting
  }

  /// Sorts a section, or compresses it as LZMA2; nil if it would have `limit` bytes or more.
  private static func compress(
    _ section: Section, model: LZMAModel, sorting: Sorting, options: PatchMaker.Options,
    below limit: Int
  ) throws(DeltaCreateError) -> (bytes: [UInt8], isSorted: Bool)? {
    if sorting == .worthIt {
      let most = worthSorting(try fastSize(of: section.bytes, model: model, options: options))
      if let sorted = SortedSection.compress(section.bytes, below: min(most, limit)) { return (sorted, true) }
    }
    let compressed: [UInt8]?
    do throws(CodecError) {
      let size = CompressedSections.dictionarySize(section.bytes.count, options: options)
      compressed = try LZMAEncoder.encode(
        section.bytes.span.bytes, dictionarySize: size, model: model, below: limit)
    } catch { throw .codec(error) }
    if sorting == .smaller {
      let most = compressed.map { $0.count - $0.count / Tuning.CompressedSections.worthDecoding } ?? limit
      if let sorted = SortedSection.compress(section.bytes, below: most) { return (sorted, true) }
    }
    return compressed.map { ($0, false) }
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
      return blocks.count <= Tuning.CompressedSections.largestStored ? min(size, blocks.count) : size
    } catch { throw .codec(error) }
  }

  /// A dictionary larger than the longest section would only cost memory, here and on the device.
  private static func dictionarySize(_ longest: Int, options: PatchMaker.Options) -> UInt32 {
    min(options.dictionarySize, DictionaryCode.rounded(UInt32(clamping: longest)))
  }

  /// The size below which sorting is worth it, instead of what a fast compressor makes: LZMA2 as in a patch saves about half
  /// of that, the rest is what decoding is worth.
  ///
  /// Of 25 scripts for which sorting saved more, 23 were smaller sorted; of 20 for which it saved less, one was.
  static func worthSorting(_ fast: Int) -> Int { fast - fast / 20 }
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
