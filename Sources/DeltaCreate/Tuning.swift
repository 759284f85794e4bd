/// What was found out by measuring, or chosen so that work and memory stay in proportion to the files: by stage, and by the
/// type that uses it.
///
/// Limits of the formats are not here, but in `PatchLimits` and `DeflateLimits`.
enum Tuning {
  // MARK: - Match

  enum BlockIndex {
    /// Blocks with the same bytes that are kept.
    static var mostEqual: Int { 4 }
    /// A longer match would be no better; the matcher continues from it.
    static var longestMatch: Int { 1 << 20 }
    /// Slots that are examined for one hash.
    static var longestSearch: Int { 16 }
  }

  enum ContextSorter {
    /// How many bytes of a suffix decide about its place; even.
    ///
    /// With 6, the patches of 40 pairs became 0.3 % larger; with all bytes they are no smaller than with 8.
    static var depth: Int { 8 }
  }

  enum CopyPruning {
    /// Longer copies always save more than they cost.
    static var longest: Int { 16 }
    /// The bytes that a copy has to save besides those of its delta: a record takes two, and one copy more takes time.
    ///
    /// With 2, making patches took 4 % longer, and they were 0.1 % smaller.
    static var leastSaved: Int { 4 }
    /// The most bytes between two copies that are encoded as differences instead of literals.
    static var widestGap: Int { 8 }
  }

  enum Matcher {
    /// The bytes at the end of a long exact run that are searched for matches that begin in it.
    static var context: Int { 32 }
  }

  enum Noise {
    /// Of fewer bytes it is not worth asking.
    static var smallest: Int { 64 << 10 }
    /// From one offset that is searched for to the next one; odd, because an old file may have sorted suffixes at even offsets
    /// only.
    static var step: Int { 15 }
    /// The fewest matches that count: among many bytes a few are equal by chance.
    static var fewest: Int { 8 }
  }

  enum SearchRange {
    /// The part of what differs that references have to be, for rows to be matched without them.
    static var fewReferences: Int { 8 }
  }

  enum SuffixArray {
    /// The fewest bytes of a match.
    static var shortest: Int { 4 }
  }

  enum SuffixGroups {
    /// The largest group that is sorted by insertion: that has room for as many keys.
    static var few: Int { 12 }
  }

  enum UnchangedRanges {
    /// The bytes at both ends of an unchanged range that are searched like changed ones.
    static var margin: Int { 512 }
  }

  // MARK: - Doubles

  enum LineFinder {
    /// A transformation there and back changes the last bits of a double, of a small one more than of a large one.
    static var ignoredBits: UInt64 { 24 }
    /// How many lines around one offset are enough to choose from.
    static var enough: Int { 8 }
    /// How many bytes a line may begin before the point that it was found by: its first points may be those of many lines.
    static var farthestBack: Int { 16 << 10 }
    /// The fewest bytes of a line: two points, an operation costs about as much as one and a half.
    static var shortest: Int { 32 }
    /// The most units in the last place by which numbers of the same place differ.
    static var largestStep: UInt64 { 1 << 24 }
  }

  enum NumberFinder {
    /// The fewest numbers that justify an operation.
    static var shortest: Int { 2 }
    /// How many numbers are examined to choose the stride.
    static var sample: Int { 200 }
  }

  enum NumberParser {
    /// Two points: an operation costs about as much as one and a half points.
    static var shortestLine: Int { 32 }
  }

  // MARK: - Streams

  enum GuideSearch {
    /// All candidates are tried on streams of that many bytes.
    static var maximumCompared: Int { 128 << 10 }
    /// How many bytes of a longer content are enough to compare all of them.
    static var front: Int { 1 << 20 }
    /// How many candidates are tried on the others.
    static var maximumTried: Int { 2 }
    /// What may be wasted without any stream for which a guide is used.
    static var maximumWaste: Int { 32 << 20 }
  }

  enum ParameterSearch {
    /// How many parameters that were right before are tried first.
    static var maximumRecent: Int { 3 }
  }

  enum SampleTable {
    /// A sample that more streams have is ignored.
    static var maximumHolders: Int { 32 }
  }

  enum Sampler {
    /// At most one of that many windows is kept, on average.
    static var sparsest: Int { 16 }
  }

  enum StreamSelection {
    /// How many bytes of contents are kept for all tries: those of a small file.
    static var keptContents: Int { 4 << 20 }
    /// The most extents of a stream: one with more would leave too few of `PatchLimits.maximumExtents` for others.
    static var maximumExtents: Int { 1024 }
  }

  enum WindowedCopies {
    /// How many copies after one from ahead are looked at.
    static var furthest: Int { 10_000 }
  }

  // MARK: - Choose

  enum Contest {
    /// The operations of a script that are remembered, in the memory that does not grow with the files.
    static var mostRemembered: Int { 32 << 10 }
  }

  enum CopyChoice {
    /// How far into the next copies one may be used, in bytes.
    static var margin: Int { 64 }
    /// The bytes of the new file that are worth a processor of their own.
    static var smallestPiece: Int { 512 << 10 }
  }

  enum CostMeasurement {
    /// The fewest bytes of a column that say anything.
    static var fewest: Int { 64 }
  }

  enum CostSearch {
    /// The largest patch that what a matching has found as it is may be the smallest of.
    static var smallPatch: Int { 64 << 10 }
    /// How often costs are learned from the best script.
    static var mostRounds: Int { 3 }
    /// The least gain that another round is worth, as a part of the size.
    ///
    /// With half of that, making patches takes some percent longer, and they are no smaller.
    static var leastGain: Int { 200 }
    /// The bytes of a patch that is searched further only if first costs saved much.
    static var fewBytes: Int { 16 << 10 }
    /// That much, as a part of the size.
    static var leastFirstGain: Int { 64 }
    /// How many times as many bytes as the first matching another script may leave to be compressed whole.
    ///
    /// Rasters that became smaller left at most seven times as many as their patches have.
    static var mostDifferent: Int { 16 }
    /// How many times as large as a patch literals may be that compression could make smaller than it.
    static var mostOfLiterals: Int { 3 }
  }

  enum Estimate {
    /// The largest patch for which scripts are compared by all of their blocks.
    ///
    /// Compared by a sample, that of `world/airports`, 250 kB, became 7 % larger.
    static var wholePatch: Int { 384 << 10 }
  }

  enum OpenCopy {
    /// The equal bytes with which a copy has to begin, as many as `fourBytes` reads.
    static var fewest: Int { 4 }
  }

  enum Screening {
    /// The part of what estimates are made of.
    static var part: Int { 4 }
    /// The fewest bytes of the new file that say anything.
    static var fewest: Int { 256 << 10 }
    /// The bytes of a piece: with four times as many, changes that are close together were missed, and a patch of 68 kB
    /// became 5 % larger.
    static var piece: Int { 8 << 10 }
    /// The part of its size, and the bytes, by which a script may be larger in these parts and yet be smaller as a whole.
    ///
    /// With a 32nd, a fifth of the tries was saved that are saved with this; with nothing, patches became a thousandth larger.
    static var margin: Int { 512 }
    static var fewBytes: Int { 64 }
  }

  enum ScriptSample {
    /// At least as many bytes are compressed apart from the others, side by side: smaller parts miss repetitions, which made
    /// patches a thousandth larger.
    static var part: Int { 256 << 10 }
    /// The bytes that say whether sorting is worth it: with 128 KiB it was missed once in 79 pairs of files.
    static var mostSorted: Int { 256 << 10 }
    /// How many models are compared by all parts.
    static var mostModels: Int { 4 }
  }

  // MARK: - Encode

  enum SectionCutter {
    /// The bytes of blocks that are worth a section of their own.
    static var largeSection: Int { 32 << 10 }
  }

  // MARK: - Pack

  enum CompressedSections {
    /// Bytes of sections that wait: four of the largest.
    static var mostWaiting: Int { 16 << 20 }
    /// Sections of at most this size may be smaller uncompressed.
    static var largestStored: Int { 4096 }
    /// The part of a small patch that sorting has to save: decoding takes three times as long.
    static var worthDecoding: Int { 64 }
  }

  // MARK: - All stages

  enum Processors {
    /// The most threads that work at a time.
    ///
    /// Dispatch has 255 for those who help and those of them who wait, and work within work is at most three deep.
    static var most: Int { 64 }
  }

  enum SearchBudget {
    /// The bits of a memory limit that are told apart.
    static var significantBits: Int { 4 }
    /// What a search takes besides what grows with the files.
    static var fixedMemory: Int { 64 << 20 }
    /// In bytes; smaller ones would hardly find more than blocks do.
    static var smallestWindow: Int { 1 << 20 }
  }
}
