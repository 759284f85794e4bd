internal import PatchFormat

/// Cuts what encoders write into blocks, and blocks into sections.
///
/// It follows the output as the device does: a section may end only outside of streams, with no extent reserved.
struct SectionCutter {
  /// The block that is being written.
  var block = BlockWriter()
  var state = SectionState()
  /// The bytes of the input that are encoded: of the new file or its residual, or of a content.
  private(set) var completed = 0
  /// Where in the input the section began.
  private(set) var sectionStart = 0
  private(set) var position = OutputPosition()
  private(set) var largestBlock = 1

  /// Complete sections that were not taken yet.
  private var sections: [Section] = []
  private var section = Section(completed: 0)
  /// Where in the input the block began, or the last stream ended.
  private var mark = 0
  /// The bytes outside of the stream whose content is encoded; nil outside of streams.
  private var outerCompleted: Int?

  private let blockLimit: Int
  private let sectionLimit: Int
  private let sectionOutput: Int

  /// - `start`: where in the input the first section begins.
  init(_ options: PatchMaker.Options, at start: Int = 0) {
    completed = start
    sectionStart = start
    mark = start
    blockLimit = SectionCutter.blockLimit(options)
    sectionLimit = options.sectionSize
    sectionOutput = options.sectionOutput
  }

  /// The bytes that the columns of one block may have.
  static func blockLimit(_ options: PatchMaker.Options) -> Int {
    Int(options.blockSize) - BlockLayout.maximumHeader
  }

  /// The bytes that fit into the block.
  var room: Int { blockLimit - block.size }

  /// The bytes of the new file after which the section should end: where a multiple of the largest output is reached, or of
  /// half of it if there is enough to compress beside other sections.
  var outputLeft: Int {
    guard canEndSection else { return .max }
    let isLarge = section.bytes.count + block.size >= Tuning.SectionCutter.largeSection
    let step = isLarge ? (sectionOutput + 1) / 2 : sectionOutput
    return (sectionStart / step + 1) * step - completed
  }

  /// Nothing may be left open at a checkpoint.
  private var canEndSection: Bool { outerCompleted == nil && position.isClear }

  /// Counts bytes of the input as encoded.
  mutating func complete(_ count: Int) {
    completed += count
    if outerCompleted == nil { position.placeAround(UInt64(count)) }
  }

  /// Ends the block if it has room for less than `bytes`.
  mutating func makeRoom(for bytes: Int) {
    if room < bytes { endBlock() }
  }

  /// Ends the block, and the section if it is long enough.
  mutating func endBlock() {
    if block.size > 0 {
      let bytes = block.encoded()
      largestBlock = max(largestBlock, bytes.count)
      BlockSize.append(bytes.count, to: &section.bytes)
      section.bytes += bytes
    }
    block.removeAll()
    if outerCompleted == nil { mark = completed }
    if canEndSection && (section.bytes.count >= sectionLimit || outputLeft <= 0) { endSection() }
  }

  mutating func endSection() {
    if !section.bytes.isEmpty { sections.append(section) }
    section = Section(completed: position.offset)
    sectionStart = completed
    state = SectionState()
  }

  /// Returns the complete sections that were not taken yet.
  mutating func takeSections() -> [Section] {
    defer { sections.removeAll() }
    return sections
  }

  // MARK: - Streams

  /// Begins a stream; what is completed from now on is its content.
  ///
  /// Returns false if its extents cannot be reserved.
  mutating func beginStream(_ target: [UInt8], destinations: [Extent]) -> Bool {
    block.append(target: target, gap: completed - mark)
    for extent in destinations {
      guard position.reserve(extent) else { return false }
    }
    position.placeAround(0)
    outerCompleted = completed
    completed = 0
    state.beginStream()
    return true
  }

  mutating func endStream() {
    completed = outerCompleted ?? completed
    outerCompleted = nil
    state.endStream()
    mark = completed
  }
}
