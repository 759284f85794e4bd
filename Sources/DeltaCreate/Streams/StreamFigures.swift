/// What became of the deflate streams of a new file.
///
/// Each stream that was found has one outcome. Streams that are too small to be worth rebuilding are not counted
/// (`DeflateLimits`).
package struct StreamFigures: Equatable, Sendable {
  /// What became of a stream, and if it was not rebuilt, why.
  package enum Outcome: Int, CaseIterable, Sendable {
    /// The old file holds the same bytes, which are copied.
    case copied
    /// Its content is made from that of an old stream, and deflated again.
    case rebuiltFromOld
    /// Its content is made without an old stream, and deflated again.
    case rebuiltWithoutOld
    /// zlib does not make it: its content is made, from that of an old stream or without, and deflated again with a guide.
    case rebuiltWithGuide
    /// Its content is larger than `DeflateLimits.maximumContent`, or than the memory allows.
    case contentTooLarge
    /// No parameters of zlib are known that make it, and no guide is worth its bytes.
    ///
    /// After failures not everything is tried on every stream (`ParameterSearch`, `GuideSearch`).
    case otherEncoder
    /// It lies in more extents than the format can encode.
    case tooManyExtents
    /// It could be rebuilt, but the smallest patch rebuilds no streams.
    case notSmaller

    /// What is compressed again when the patch is applied.
    package static let rebuilt: [Outcome] = [.rebuiltFromOld, .rebuiltWithoutOld, .rebuiltWithGuide]
    /// Why streams cannot be rebuilt.
    package static let reasons: [Outcome] = [.contentTooLarge, .otherEncoder, .tooManyExtents]
  }

  /// Some of the streams.
  package struct Tally: Equatable, Sendable {
    package private(set) var count = 0
    /// In the file, with the wrappers as far as they are parts of the streams.
    package private(set) var bytes = 0

    package init(count: Int = 0, bytes: Int = 0) {
      self.count = count
      self.bytes = bytes
    }

    package static func + (a: Tally, b: Tally) -> Tally {
      Tally(count: a.count + b.count, bytes: a.bytes + b.bytes)
    }
  }

  /// In the order of `Outcome.allCases`.
  private var tallies = Outcome.allCases.map { _ in Tally() }
  /// Bytes of the old and the new file that were not searched for streams: there were more than fit into memory, or too
  /// many bytes that only looked like one, or streams are not searched for at all.
  package var unsearched: Int

  package init(unsearched: Int = 0) { self.unsearched = unsearched }

  /// The streams with an outcome.
  package private(set) subscript(outcome: Outcome) -> Tally {
    get { tallies[outcome.rawValue] }
    set { tallies[outcome.rawValue] = newValue }
  }

  /// The streams with one of these outcomes.
  package subscript(outcomes: [Outcome]) -> Tally { outcomes.reduce(Tally()) { $0 + self[$1] } }

  /// All streams.
  package var found: Tally { self[Outcome.allCases] }

  /// The figures of two files together.
  package static func + (a: StreamFigures, b: StreamFigures) -> StreamFigures {
    var sum = StreamFigures(unsearched: a.unsearched + b.unsearched)
    for outcome in Outcome.allCases { sum[outcome] = a[outcome] + b[outcome] }
    return sum
  }

  mutating func count(_ stream: DeflateStream, as outcome: Outcome) {
    self[outcome] = self[outcome] + Tally(count: 1, bytes: stream.size)
  }

  /// The figures of a patch with these streams, of which each was counted as `notSmaller` so far.
  func rebuilding(_ streams: [StreamScript]) -> StreamFigures {
    var figures = self
    for stream in streams {
      let isGuided = stream.target.guide != nil
      figures.count(
        stream.target,
        as: isGuided ? .rebuiltWithGuide : stream.source == nil ? .rebuiltWithoutOld : .rebuiltFromOld)
      let left = figures[.notSmaller]
      figures[.notSmaller] = Tally(count: left.count - 1, bytes: left.bytes - stream.target.size)
    }
    return figures
  }
}

extension StreamFigures {
  /// What can become of the streams of `new` in a patch from `old`, without making one: those that can be rebuilt count as
  /// `notSmaller`.
  ///
  /// - `memory`: the bytes that this may take.
  /// - `directory`: where a file without a name holds what is too large for that.
  package init(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, memory: Int, directory: String
  ) throws(DeltaCreateError) {
    let budget = SearchBudget.choose(old: old.count, new: new.count, limit: memory)
    self = try StreamSelection(
      old: old, new: new, memory: budget.streamMemory, directory: budget.effort == .full ? nil : directory,
      options: PatchMaker.Options()
    ).figures
  }
}
