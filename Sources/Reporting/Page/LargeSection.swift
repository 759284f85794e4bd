internal import Platform

/// What made the largest updates large.
struct LargeSection {
  private let updates: [Report.LargeUpdate]
  private let inFull: [Report.Component]
  private let pruned: Int
  private let base: Report.Base?

  init(_ details: Report.Details) {
    updates = details.largest
    inFull = details.inFull
    pruned = details.pruned
    base = details.bases.first
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
      \(updates.contains { $0.patch != nil } ? key : "")
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
    let size = inFull.reduce(0 as UInt64) { $0.saturatingSum($1.size) }
    let count = inFull.count == 1 ? "1 component comes" : "\(inFull.count) components come"
    let items: [Markup] = inFull.prefix(ReportLimits.namedComponents).map { component in
      """
      <li>\(Markup(id: component.id)) <small>\(component.dataGroup)</small> \
      <span>\(ByteCount(component.size))</span></li>

      """
    }
    let more: Markup =
      inFull.count > ReportLimits.namedComponents
      ? "<li>and \(inFull.count - ReportLimits.namedComponents) more</li>" : ""
    return """
      <details class="full"><summary>\(count) in full, \(ByteCount(size)): no patch saves a fifth of the \
      download</summary>
      <ul>
      \(items.joined)\(more)</ul></details>
      """
  }

  private var key: Markup {
    let items: [Markup] = PatchPart.allCases.map { part in
      "<li><i class=\"\(part.rawValue)\"></i><b>\(part.title)</b> \(part.meaning)</li>\n"
    }
    return "<ul class=\"key\">\n\(items.joined)</ul>"
  }

  private func item(_ update: Report.LargeUpdate) -> Markup {
    """
    <li><h3>\(Markup(id: update.component.id)) <small>\(update.component.dataGroup)</small></h3>
    <p class="figure"><b>\(ByteCount(update.component.size))</b> \
    \(ByteCount(update.component.size).share(of: update.fullDownload)) of a full download</p>
    \((update.patch?.parts).map(bar) ?? "")
    \(sentences(update).map { "<p>\($0)</p>\n" as Markup }.joined)</li>

    """
  }

  /// The parts side by side.
  private func bar(_ parts: [(part: PatchPart, size: UInt64)]) -> Markup {
    let whole = parts.whole
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
      left = left.saturatingSum(size)
    }
    return """
      <svg class="bar stack" role="img" aria-label="\(words.joined(separator: ", "))">\(rects)</svg>
      <p class="parts">\(words.map { "<span>\($0)</span> " as Markup }.joined)</p>
      """
  }

  private func sentences(_ update: Report.LargeUpdate) -> [String] {
    switch update.patch {
    case .none: ["A chain of \(update.patches) patches."]
    case .some(let patch): [patch.cause] + patch.deflateStreams.causes
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

  init(_ column: Report.Column.Name) {
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

extension [(part: PatchPart, size: UInt64)] {
  fileprivate var whole: UInt64 { reduce(0) { $0.saturatingSum($1.size) } }
}

extension Report.PatchFigures {
  /// The parts in bytes, in the order of `PatchPart`.
  var parts: [(part: PatchPart, size: UInt64)] {
    PatchPart.allCases.map { part in
      (part, columns.reduce(0) { PatchPart($1.name) == part ? $0.saturatingSum($1.packedSize) : $0 })
    }
  }

  /// What most of the patch is, in a sentence.
  fileprivate var cause: String {
    let whole = parts.whole
    guard let largest = parts.max(by: { $0.size < $1.size }), whole > 0 else { return "Nothing but copies." }
    let share = "\(ByteCount(largest.size).share(of: whole)) is \(largest.part.title.lowercased())"
    let copies = operations.reduce(0 as UInt64) { $0.saturatingSum($1.count) }
    let what =
      switch largest.part {
      case .literals: "\(ByteCount(size(.literals)).text) before compression that no older map has"
      case .differences: "\(ByteCount(size(.differences)).text) that differ within \(copies) copies"
      case .numbers: "coordinates and offsets that moved"
      case .instructions: "\(copies) operations, many of them small"
      case .streams: "the places and parameters of compressed contents"
      }
    return "\(share): \(what)."
  }

  private func size(_ name: Report.Column.Name) -> UInt64 { columns.first { $0.name == name }?.size ?? 0 }
}

extension Report.Streams {
  /// What was made again of the compressed contents, and what could not be, and why.
  fileprivate var causes: [String] {
    var sentences: [String] = []
    if rebuilt.count > 0 {
      sentences.append(
        "\(rebuilt.count) compressed streams (\(ByteCount(rebuilt.size).text)) are made again from their contents."
      )
    }
    for (tally, cause) in [
      (notRebuilt.contentTooLarge, "the content is too large"),
      (notRebuilt.otherEncoder, "zlib has not made the bytes"),
      (notRebuilt.tooManyExtents, "too many extents in the file"),
    ] where tally.count > 0 {
      let size = ByteCount(tally.size).text
      let what = tally.count == 1 ? "1 stream (\(size))" : "\(tally.count) streams (\(size))"
      sentences.append("\(what) could not be made again: \(cause).")
    }
    return sentences
  }
}
