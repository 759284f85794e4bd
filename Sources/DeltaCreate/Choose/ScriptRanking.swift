internal import Codec
internal import CodecEncoding

/// Compares scripts for the same file by their size after compression, and keeps the smallest.
///
/// Compressing as for a patch takes most of the time of making one.
/// A fast compressor makes 1 to 30 % more, but nearly the same part more of scripts that are alike.
/// So one script of a kind is compressed, and the others are estimated by comparing them with it.
struct ScriptRanking {
  struct Ranked {
    let script: PatchScript
    /// In bytes, after compression: measured or estimated.
    let size: Int
    /// Its `comparableSize`; nil if it was compared as a variant.
    fileprivate let fast: Int?
    /// The costs with which its copies were chosen; nil if they were not chosen by cost.
    let costs: PatchMaker.CopyCosts?
    /// What `model` compresses it to; nil if it was estimated, or is large.
    fileprivate(set) var sections: CompressedSections?
  }

  private(set) var best: Ranked?
  /// The smallest of those that were not compared as variants.
  private var estimated: Ranked?
  /// The smallest of those that were compressed as for a patch.
  private var measured: Ranked?
  /// All scripts are compressed with the same model; the one that suits the best of them is found at the end.
  let model: LZMAModel
  /// What a fast compressor makes of a sample of the script with this size; the size of the best one only gets smaller.
  private var sampled: (size: Int, fast: Int)?
  /// False if there will be only one script.
  var measures: Bool
  private let options: PatchMaker.Options

  init(_ options: PatchMaker.Options, measures: Bool) {
    self.options = options
    self.measures = measures
    model = options.models[0]
  }

  /// The scripts to compress for the patch, one after the other, until one is as small as it was ranked.
  var finalists: [Ranked] {
    var all: [Ranked] = []
    for ranked in [best, estimated, measured] {
      if let ranked, ranked.size != all.last?.size { all.append(ranked) }
    }
    return all
  }

  /// What is known of a script's size before it is ranked; what is missing is found out then.
  struct Measurement {
    fileprivate var sections: CompressedSections?
    /// It is larger than the smallest one so far.
    fileprivate var isTooLarge = false
    /// Its `comparableSize`.
    fileprivate var fast: Int?
    /// What a fast compressor makes of a sample of it.
    fileprivate var sampled: Int?

    static var none: Measurement { Measurement() }
  }

  /// Measures a script as `add(_:like:)` would; several threads may do so at a time.
  func measure(_ script: PatchScript, like base: Ranked?) throws(DeltaCreateError) -> Measurement {
    guard !isBest(script) else { return .none }
    if base?.fast != nil, let base, base.size > ScriptRanking.fewBytes {
      return Measurement(fast: try comparableSize(of: script))
    }
    let (sections, fast) = try compressed(script)
    return Measurement(sections: sections, isTooLarge: sections == nil, fast: fast)
  }

  /// Compresses a script as for a patch, and finds its `comparableSize`; nil if it is not the smallest so far.
  ///
  /// - `known`: its `comparableSize`, if that is known.
  private func compressed(
    _ script: PatchScript, comparable known: Int? = nil
  ) throws(DeltaCreateError) -> (CompressedSections?, fast: Int?) {
    let limit = measured?.size ?? .max
    guard let sections = try CompressedSections(script, model: model, options: options, below: limit) else {
      return (nil, known)
    }
    if let known { return (sections, known) }
    // A script of few bytes is compared with no other.
    let isCompared = sections.size > ScriptRanking.fewBytes || !script.streams.isEmpty
    return (sections, isCompared ? try comparableSize(of: script) : sections.size)
  }

  /// Measures a script as `addVariant` would; several threads may do so at a time.
  func measureVariant(_ script: PatchScript) throws(DeltaCreateError) -> Measurement {
    guard let best, best.size > ScriptRanking.fewBytes else {
      return try measure(script, like: nil)
    }
    return isBest(script)
      ? .none
      : Measurement(sampled: try sampledSize(of: script))
  }

  /// Ranks a script by compressing it, and the best one as well; the first one, without streams, is only estimated.
  ///
  /// A fast compressor finds fewer repetitions, so it makes too much of a script that has more literals than others.
  ///
  /// Returns nil if it is not the smallest of those that were compressed.
  @discardableResult
  mutating func add(
    _ script: PatchScript, costs: PatchMaker.CopyCosts? = nil, measured known: Measurement = .none
  ) throws(DeltaCreateError) -> Ranked? {
    guard measures else {
      best = Ranked(script: script, size: 0, fast: nil, costs: costs)
      return best
    }
    if known.isTooLarge { return nil }
    var fast = known.fast
    if best == nil, script.streams.isEmpty {
      // All others are compared with it.
      let sample = try ScriptSample(script, options: options)
      if sample.whole(sample.blocks.count) > 2 * ScriptRanking.fewBytes {
        let size = try sample.fastSize(model, options: options)
        fast = size
        if sample.whole(size) > 2 * ScriptRanking.fewBytes {
          insert(Ranked(script: script, size: sample.whole(size), fast: size, costs: costs))
          return best
        }
      }
    }
    try measureBest()
    if let sections = known.sections, let fast {
      guard sections.size < measured?.size ?? .max else { return nil }
      return insert(sections, of: script, fast: fast, costs: costs)
    }
    let (sections, comparable) = try compressed(script, comparable: fast)
    return sections.map { insert($0, of: script, fast: comparable, costs: costs) }
  }

  /// Compresses the best script, if it was only estimated, so that one that is compressed can be compared with it.
  private mutating func measureBest() throws(DeltaCreateError) {
    guard let best, measured == nil,
      let sections = try CompressedSections(best.script, model: model, options: options, below: .max)
    else { return }
    estimated = nil
    self.best = nil
    insert(sections, of: best.script, fast: best.fast, costs: best.costs)
  }

  @discardableResult
  private mutating func insert(
    _ sections: CompressedSections, of script: PatchScript, fast: Int?, costs: PatchMaker.CopyCosts?
  ) -> Ranked {
    let ranked = Ranked(
      script: script, size: sections.size, fast: fast, costs: costs,
      sections: sections.size <= ScriptRanking.mostKept ? sections : nil)
    measured = ranked
    insert(ranked)
    return ranked
  }

  /// Ranks a script by comparing it with one that is alike; without that, by compressing it.
  ///
  /// Returns whether it is the smallest so far.
  @discardableResult
  mutating func add(
    _ script: PatchScript, like base: Ranked?, costs: PatchMaker.CopyCosts? = nil,
    measured known: Measurement = .none
  ) throws(DeltaCreateError) -> Bool {
    if isBest(script) { return false }
    guard let base, let before = base.fast, base.size > ScriptRanking.fewBytes else {
      return try add(script, costs: costs, measured: known) != nil
    }
    let fast = if let fast = known.fast { fast } else { try comparableSize(of: script) }
    let size = estimate(fast, like: (base.size, before))
    return insert(Ranked(script: script, size: size, fast: fast, costs: costs))
  }

  /// Ranks a script that differs little from the best one by comparing samples of both, and returns whether it is smaller;
  /// both are without streams.
  @discardableResult
  mutating func addVariant(
    _ script: PatchScript, costs: PatchMaker.CopyCosts?, measured known: Measurement = .none
  ) throws(DeltaCreateError) -> Bool {
    if isBest(script) { return false }
    guard let best, best.size > ScriptRanking.fewBytes else {
      return try add(script, costs: costs, measured: known) != nil
    }
    let base = try sampledSize(of: best)
    let fast = if let sampled = known.sampled { sampled } else { try sampledSize(of: script) }
    let size = estimate(fast, like: (best.size, base))
    guard insert(Ranked(script: script, size: size, fast: nil, costs: costs)) else { return false }
    sampled = (size, fast)
    return true
  }

  /// What a fast compressor makes of a sample of the best script.
  private mutating func sampledSize(of best: Ranked) throws(DeltaCreateError) -> Int {
    if let sampled, sampled.size == best.size { return sampled.fast }
    if let fast = best.fast { return fast }
    let fast = try sampledSize(of: best.script)
    sampled = (best.size, fast)
    return fast
  }

  /// What a fast compressor makes of a sample of a script.
  private func sampledSize(of script: PatchScript) throws(DeltaCreateError) -> Int {
    try ScriptSample(script, options: options).fastSize(model, options: options)
  }

  /// What a fast compressor makes of a script, or of a sample of a long one without streams, in which the samples of all
  /// scripts are of the same pieces.
  private func comparableSize(of script: PatchScript) throws(DeltaCreateError) -> Int {
    script.streams.isEmpty
      ? try sampledSize(of: script) : try fastSize(of: script)
  }

  /// Whether that many bytes, which nothing compresses, are so much larger than the best script with streams.
  func isFarAboveBest(bytes: Int) -> Bool {
    guard let best, let fast = best.fast, !best.script.streams.isEmpty else { return false }
    return ScriptRanking.isFar(bytes, above: fast)
  }

  /// Whether a script is so much larger than the best one that no choice of other copies makes up for it.
  func isFarAboveBest(_ script: PatchScript) throws(DeltaCreateError) -> Bool {
    guard let fast = best?.fast else { return false }
    return ScriptRanking.isFar(try fastSize(of: script), above: fast)
  }

  /// The same of a script without streams, by a sample of both.
  mutating func isFarAboveBest(sampleOf script: PatchScript) throws(DeltaCreateError) -> Bool {
    guard let best, best.script.streams.isEmpty, best.size > ScriptRanking.fewBytes else {
      return false
    }
    let fast = try sampledSize(of: best)
    return ScriptRanking.isFar(try sampledSize(of: script), above: fast)
  }

  private static func isFar(_ size: Int, above best: Int) -> Bool { size > best + best / 3 }

  private func isBest(_ script: PatchScript) -> Bool {
    best.map { ScriptRanking.isSame($0.script, script) } ?? false
  }

  /// Whether two scripts encode the same; not known of streams.
  private static func isSame(_ one: PatchScript, _ other: PatchScript) -> Bool {
    guard one.streams.isEmpty, other.streams.isEmpty else { return false }
    return one.operations == other.operations
  }

  private func estimate(_ fast: Int, like base: (size: Int, fast: Int)) -> Int {
    Int((Double(fast) * Double(base.size) / Double(max(base.fast, 1))).rounded())
  }

  /// Returns whether it is the smallest so far.
  @discardableResult
  private mutating func insert(_ ranked: Ranked) -> Bool {
    if ranked.fast != nil, ranked.size < estimated?.size ?? .max { estimated = ranked }
    guard ranked.size < best?.size ?? .max else { return false }
    best = ranked
    return true
  }

  /// The largest sections that are kept instead of being made again: memory counts for large files.
  private static var mostKept: Int { 2 << 20 }
  /// A script of at most this size is compressed as fast as it is estimated.
  private static var fewBytes: Int { 16 << 10 }

  private func fastSize(of script: PatchScript) throws(DeltaCreateError) -> Int {
    var size = 0
    _ = try ScriptEncoder.encode(script, options: options) { (section) throws(DeltaCreateError) in
      size += try CompressedSections.fastSize(of: section.bytes, model: model, options: options)
      return true
    }
    return size
  }
}
