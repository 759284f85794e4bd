internal import CodecEncoding
internal import PatchFormat

/// The blocks of some pieces of the new file, the same pieces in every script: enough to compare scripts that are alike, and
/// to measure what their columns cost.
struct ScriptSample {
  let blocks: [UInt8]
  /// How many pieces it has, and how many there are.
  private let pieces: (taken: Int, all: Int)

  /// - `extent`: of a script with streams, always a sample.
  init(
    _ script: PatchScript, _ extent: Estimate.Extent, options: PatchMaker.Options
  ) throws(DeltaCreateError) {
    let count = script.new.count
    guard script.streams.isEmpty else {
      self = try ScriptSample(streams: script, step: ScriptSample.step(count), options: options)
      return
    }
    switch extent {
    case .sample:
      let step = ScriptSample.step(count)
      let ranges = ScriptSample.ranges(count, step: step, size: ScriptSample.pieceSize(count))
      try self.init(script, ranges.taken, of: ranges.all, options: options)
    case .whole: try self.init(script, [0..<count], of: 1, options: options)
    }
  }

  /// - `ranges`: pieces of the new file; those of a script without streams.
  /// - `all`: how many such pieces there are.
  init(
    _ script: PatchScript, _ ranges: [Range<Int>], of all: Int, options: PatchMaker.Options
  ) throws(DeltaCreateError) {
    pieces = (ranges.count, all)
    blocks = try options.processors.map(ranges) { (range) throws(DeltaCreateError) in
      try ScriptEncoder.blocks(of: script, in: range, options: options)
    }.flatMap { $0 }
  }

  /// One of `step` pieces of a new file that has `count` bytes, and how many pieces of that size it has.
  static func ranges(_ count: Int, step: Int, size: Int) -> (taken: [Range<Int>], all: Int) {
    let all = (count + size - 1) / size
    let taken = stride(from: step / 2, to: all, by: step).map { piece in
      piece * size..<min((piece + 1) * size, count)
    }
    return (taken, all)
  }

  /// With streams, where a piece ends is known only when everything before it is encoded.
  private init(streams script: PatchScript, step: Int, options: PatchMaker.Options) throws(DeltaCreateError) {
    var options = options
    // Sections end where their pieces do, unless a stream is in the way.
    let pieceSize = ScriptSample.pieceSize(script.new.count)
    options.sectionOutput = pieceSize
    var blocks: [UInt8] = []
    var pieces = (taken: 0, all: 0)
    _ = try ScriptEncoder.encode(script, options: options) { (section) throws(DeltaCreateError) in
      pieces.all += 1
      if Int(section.completed) / pieceSize % step == step / 2 {
        blocks += section.bytes
        pieces.taken += 1
      }
      return true
    }
    self.blocks = blocks
    self.pieces = pieces
  }

  /// One of how many pieces is taken: all of a small file, half of a medium one, a quarter of a larger one, but never more
  /// than 4 MiB.
  static func step(_ count: Int) -> Int {
    if count <= 256 << 10 { return 1 }
    if count <= 512 << 10 { return 2 }
    return max(4, (count + (4 << 20) - 1) >> 22)
  }

  /// In bytes of the new file: many small pieces of a small file, because they miss nothing that is rare in it; longer ones
  /// of a large file, because a script begins each of them anew.
  private static func pieceSize(_ count: Int) -> Int { min(max(count >> 8, 16 << 10), 64 << 10) }
}

extension ScriptSample {
  /// What a compressor makes of it, in bytes.
  func size(
    _ compressor: Estimate.Compressor, options: PatchMaker.Options
  ) throws(DeltaCreateError) -> Int {
    switch compressor {
    case .fast: try fastSize(options)
    case .sorting: SortedSection.estimate(blocks)
    }
  }

  private func fastSize(_ options: PatchMaker.Options) throws(DeltaCreateError) -> Int {
    let parts = blocks.indices.parts(max(1, blocks.count / Tuning.ScriptSample.part))
    return try options.processors.map(parts) { (part) throws(DeltaCreateError) in
      try CompressedSections.fastSize(of: Array(blocks[part]), model: options.models[0], options: options)
    }.reduce(0, +)
  }

  /// What all of the script has if the sample has that many bytes.
  func whole(_ size: Int) -> Int { size * pieces.all / max(pieces.taken, 1) }

  /// Whether sorting makes it so much smaller than a fast compressor does that it is worth it.
  func isSmallerSorted(_ options: PatchMaker.Options) throws(DeltaCreateError) -> Bool {
    let start = max(0, blocks.count - Tuning.ScriptSample.mostSorted) / 2
    let middle = Array(blocks[start...].prefix(Tuning.ScriptSample.mostSorted))
    let fast = try CompressedSections.fastSize(of: middle, model: options.models[0], options: options)
    let most = CompressedSections.worthSorting(fast)
    return SortedSection.compress(middle, below: most) != nil
  }

  /// The model of LZMA with which a fast compressor makes parts of it smallest; the first one of those that are equal.
  func best(of models: [LZMAModel], options: PatchMaker.Options) throws(DeltaCreateError) -> LZMAModel {
    guard models.count > 1 else { return models[0] }
    let parts = parts
    func size(_ model: LZMAModel, _ parts: [[UInt8]]) throws(DeltaCreateError) -> Int {
      var size = 0
      for part in parts { size += try CompressedSections.fastSize(of: part, model: model, options: options) }
      return size
    }
    // Most are much larger with the first part already.
    let first = try options.processors.map(models) { (model) throws(DeltaCreateError) in
      try size(model, [parts[parts.count / 2]])
    }
    let order = models.indices.sorted { (first[$0], $0) < (first[$1], $1) }
    let few = order.prefix(parts.count > 1 ? Tuning.ScriptSample.mostModels : 1).sorted()
    let sizes = try options.processors.map(few) { (number) throws(DeltaCreateError) in
      try few.count > 1 ? size(models[number], parts) : first[number]
    }
    return models[few[sizes.indices.min { sizes[$0] < sizes[$1] } ?? 0]]
  }

  /// Its front, middle and end, half of it together at most, or all of it if that is little.
  private var parts: [[UInt8]] {
    let count = 3
    let size = min(max(blocks.count / (2 * count), 2 << 10), 32 << 10)
    guard blocks.count > count * size else { return [blocks] }
    return (0..<count).map { number in
      // Models count positions from a multiple of 16 at most.
      let start = (blocks.count - size) * number / (count - 1) / 64 * 64
      return Array(blocks[start..<start + size])
    }
  }
}
