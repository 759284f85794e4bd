internal import Codec
internal import CodecEncoding
internal import PatchFormat

/// Measures what differences cost in a script when they are compressed, to choose its copies again by that.
///
/// What an average copy costs says little about one more of them, so only differences are measured: in text they cost next
/// to nothing, in noise more than literals.
struct CostMeasurement {
  private var columns = [7 of [UInt8]](repeating: [])
  private var runs = 0

  /// The costs in the blocks of a script; what it has too little of keeps its cost in `costs`.
  static func costs(
    of blocks: [UInt8], after costs: PatchMaker.CopyCosts
  ) throws(DeltaCreateError) -> PatchMaker.CopyCosts {
    var measurement = CostMeasurement()
    measurement.add(blocks)
    return try measurement.costs(after: costs)
  }

  private func costs(after costs: PatchMaker.CopyCosts) throws(DeltaCreateError) -> PatchMaker.CopyCosts {
    var costs = costs
    let differences = columns[BlockColumn.differences.rawValue]
    if differences.count >= Tuning.CostMeasurement.fewest {
      costs.differences = DifferenceCosts(differences, size: try size(.differences))
      costs.run = try size(.runs) * 64 / max(runs, 1)
    }
    return costs
  }

  /// The bytes of a column when it is compressed alone.
  private func size(_ column: BlockColumn) throws(DeltaCreateError) -> Int {
    let bytes = columns[column.rawValue]
    guard !bytes.isEmpty else { return 0 }
    do throws(CodecError) {
      return try LZMAEncoder.estimate(
        bytes.span.bytes, dictionarySize: 1 << 20, model: LZMAModel(lc: 3, lp: 0, pb: 0))
    } catch { throw .codec(error) }
  }

  /// Adds the blocks of a section.
  private mutating func add(_ section: [UInt8]) {
    let bytes = section.span
    var cursor = ByteCursor(offset: 0, end: section.count)
    while cursor.remaining > 0, let size = cursor.number(in: bytes) {
      add(block: bytes.extracting(cursor.offset..<cursor.offset + Int(size)))
      cursor.advance(by: Int(size))
    }
  }

  private mutating func add(block: Span<UInt8>) {
    guard let layout = BlockLayout(parsing: block) else { return }
    for column in [BlockColumn.runs, .differences] {
      for index in layout[column] { columns[column.rawValue].append(block[index]) }
    }
    var runColumn = ByteCursor(layout[.runs])
    while DifferenceRun(parsing: &runColumn, in: block) != nil { runs += 1 }
  }
}
