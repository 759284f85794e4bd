internal import Codec
internal import PatchFormat

/// Measures what differences cost in a script when they are compressed, to choose its copies again by that.
///
/// What an average copy costs says little about one more of them, so only differences are measured: in text they cost next
/// to nothing, in noise more than literals.
struct CostMeasurement {
  private var differences: [UInt8] = []
  /// The column of runs, and how many it has.
  private var runs: (bytes: [UInt8], count: Int) = ([], 0)

  /// The costs in the blocks of a script; what it has too little of keeps its cost in `costs`.
  static func costs(
    of blocks: [UInt8], after costs: PatchMaker.CopyCosts, options: PatchMaker.Options
  ) throws(DeltaCreateError) -> PatchMaker.CopyCosts {
    func size(_ column: [UInt8]) throws(DeltaCreateError) -> Int {
      try CompressedSections.fastSize(of: column, model: options.models[0], options: options)
    }
    var found = CostMeasurement()
    found.add(blocks)
    guard found.differences.count >= Tuning.CostMeasurement.fewest else { return costs }
    var costs = costs
    costs.differences = DifferenceCosts(found.differences, size: try size(found.differences))
    costs.run = try size(found.runs.bytes) * 64 / max(found.runs.count, 1)
    return costs
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
    for index in layout[.differences] { differences.append(block[index]) }
    for index in layout[.runs] { runs.bytes.append(block[index]) }
    var column = ByteCursor(layout[.runs])
    while DifferenceRun(parsing: &column, in: block) != nil { runs.count += 1 }
  }
}
