internal import DeltaCreate
internal import MapModel
internal import PatchFormat
internal import Platform

/// What made the largest updates large.
struct LargeSection {
  private let updates: [LargeUpdate]
  /// What no patch leads to that saves enough.
  private let inFull: [LargeUpdate.Candidate]
  private let pruned: Int
  private let base: Release?

  /// - `updates`: those of the candidates that were looked into.
  init(_ updates: [LargeUpdate], of candidates: LargeUpdate.Candidates, base: Release?) {
    self.updates = updates
    inFull = candidates.inFull
    pruned = candidates.pruned
    self.base = base
  }

  var markup: Markup {
    let text: Markup =
      base.map {
        updates.isEmpty
          ? pruned > 0 ? removed : "There are no patches for a device at <bdi>\($0.label)</bdi>."
          : """
          The largest patches for a device at <bdi>\($0.label)</bdi>. Their parts are measured as if each were compressed \
          alone.
          """
      } ?? "The first release has no updates."
    return """
      <section id="large" aria-labelledby="large-title">
      <h2 id="large-title">Largest updates</h2>
      <p>\(text)</p>
      \(updates.contains { $0.parts != nil } ? key : "")
      <ol class="large">
      \(updates.map(item).joined)</ol>
      \(inFull.isEmpty ? "" : full)
      </section>
      """
  }

  /// In place of patches that cannot be looked into any more.
  private var removed: Markup {
    let count = pruned == 1 ? "The patch of 1 component was" : "The patches of \(pruned) components were"
    return "\(count) removed by prune, because no device downloads them any more."
  }

  /// What comes in full, and the names of the largest.
  private var full: Markup {
    let size = inFull.reduce(0 as UInt64) { $0.saturatingSum($1.download) }
    let count = inFull.count == 1 ? "1 component comes" : "\(inFull.count) components come"
    let items: [Markup] = inFull.prefix(LargeSection.named).map { candidate in
      """
      <li>\(candidate.name.id.text) <small>\(candidate.name.dataGroup.text)</small> \
      <span>\(ByteCount(candidate.download))</span></li>

      """
    }
    let more: Markup =
      inFull.count > LargeSection.named ? "<li>and \(inFull.count - LargeSection.named) more</li>" : ""
    return """
      <details class="full"><summary>\(count) in full, \(ByteCount(size)): no patch saves a fifth of the \
      download</summary>
      <ul>
      \(items.joined)\(more)</ul></details>
      """
  }

  private static let named = 100

  private var key: Markup {
    let items: [Markup] = PatchPart.allCases.map { part in
      "<li><i class=\"\(part.rawValue)\"></i><b>\(part.title)</b> \(part.meaning)</li>\n"
    }
    return "<ul class=\"key\">\n\(items.joined)</ul>"
  }

  private func item(_ update: LargeUpdate) -> Markup {
    """
    <li><h3>\(update.name.id.text) <small>\(update.name.dataGroup.text)</small></h3>
    <p class="figure"><b>\(ByteCount(update.download))</b> \
    \(ByteCount(update.download).share(of: update.fullDownload)) of a full download</p>
    \(update.parts.map(bar) ?? "")
    \(sentences(update).map { "<p>\($0)</p>\n" as Markup }.joined)</li>

    """
  }

  /// The parts side by side.
  private func bar(_ parts: [(part: PatchPart, size: UInt64)]) -> Markup {
    let whole = parts.reduce(0) { $0 + $1.size }
    var left: UInt64 = 0
    var rects = Markup()
    var words: [String] = []
    for (part, size) in parts where size > 0 {
      let (x, width) = (Bar.thousandths(left, of: whole), Bar.thousandths(size, of: whole))
      rects += """
        <rect class="\(part.rawValue)" x="\(x / 10).\(x % 10)%" width="\(width / 10).\(width % 10)%" height="100%">\
        <title>\(part.title): \(ByteCount(size))</title></rect>
        """
      words.append("\(part.title.lowercased()) \(ByteCount(size).text)")
      left += size
    }
    return """
      <svg class="bar stack" role="img" aria-label="\(words.joined(separator: ", "))">\(rects)</svg>
      <p class="parts">\(words.map { "<span>\($0)</span> " as Markup }.joined)</p>
      """
  }

  private func sentences(_ update: LargeUpdate) -> [String] {
    switch update.means {
    case .chain(let patches): ["A chain of \(patches) patches."]
    case .patch(let contents, let streams):
      [contents.cause] + streams.causes(rebuilt: contents.rebuiltStreams)
    }
  }
}

/// What the bytes of a patch are for.
enum PatchPart: String, CaseIterable {
  case literals, differences, numbers, instructions, streams

  var title: String {
    switch self {
    case .literals: "Literals"
    case .differences: "Differences"
    case .numbers: "Numbers"
    case .instructions: "Instructions"
    case .streams: "Streams"
    }
  }

  var meaning: String {
    switch self {
    case .literals: "bytes that are in no older map"
    case .differences: "bytes that differ within copies"
    case .numbers: "coordinates and offsets that moved"
    case .instructions: "what is copied where"
    case .streams: "how compressed contents are made again"
    }
  }

  init(_ column: BlockColumn) {
    self =
      switch column {
      case .operations, .copies: .instructions
      case .runs, .differences: .differences
      case .numbers: .numbers
      case .targets: .streams
      case .literals: .literals
      }
  }
}

extension LargeUpdate {
  /// The parts of its patch in bytes, in the order of `PatchPart`; nil if it is not one patch.
  var parts: [(part: PatchPart, size: UInt64)]? {
    guard case .patch(let contents, _) = means else { return nil }
    return contents.parts
  }
}

extension PatchContents {
  fileprivate var parts: [(part: PatchPart, size: UInt64)] {
    PatchPart.allCases.map { part in
      (part, columns.reduce(0) { PatchPart($1.column) == part ? $0 + $1.packedSize : $0 })
    }
  }

  /// What most of the patch is, in a sentence.
  fileprivate var cause: String {
    let whole = parts.reduce(0) { $0 + $1.size }
    guard let largest = parts.max(by: { $0.size < $1.size }), whole > 0 else { return "Nothing but copies." }
    let share = "\(ByteCount(largest.size).share(of: whole)) is \(largest.part.title.lowercased())"
    let literals = columns[BlockColumn.literals.rawValue].size
    let differences = columns[BlockColumn.differences.rawValue].size
    let copies = operations.reduce(0) { $0 + $1.count }
    let what =
      switch largest.part {
      case .literals: "\(ByteCount(literals).text) before compression that no older map has"
      case .differences: "\(ByteCount(differences).text) that differ within \(copies) copies"
      case .numbers: "coordinates and offsets that moved"
      case .instructions: "\(copies) operations, many of them small"
      case .streams: "the places and parameters of compressed contents"
      }
    return "\(share): \(what)."
  }
}

extension StreamFigures {
  /// What could not be made again of the compressed contents, and why.
  fileprivate func causes(rebuilt: PatchContents.Streams) -> [String] {
    var sentences: [String] = []
    if rebuilt.count > 0 {
      sentences.append(
        "\(rebuilt.count) compressed streams (\(ByteCount(rebuilt.bytes).text)) are made again from their contents."
      )
    }
    for reason in Outcome.reasons where self[reason].count > 0 {
      let tally = self[reason]
      let size = ByteCount(UInt64(tally.bytes)).text
      let what = tally.count == 1 ? "1 stream (\(size))" : "\(tally.count) streams (\(size))"
      sentences.append("\(what) could not be made again: \(StreamFigures.cause(reason)).")
    }
    return sentences
  }

  private static func cause(_ reason: Outcome) -> String {
    switch reason {
    case .contentTooLarge: "the content is too large"
    case .otherEncoder: "zlib has not made the bytes"
    case .tooManyExtents: "too many extents in the file"
    case .copied, .rebuiltFromOld, .rebuiltWithoutOld, .rebuiltWithGuide, .notSmaller: ""
    }
  }
}
