/// A look at parts of the new file, to see which scripts are hardly the smallest.
///
/// Most costs that are tried make a script some percent larger than the best ones: parts show that in a part of the time, in
/// which copies are chosen for nothing else.
struct Screening {
  let ranges: [Range<Int>]
  /// How many pieces like these the new file has.
  private let all: Int
  private let estimate: Estimate
  private let options: PatchMaker.Options

  /// Nil if the file is so small that parts of it say too little.
  ///
  /// - `estimate`: how scripts for all of the file are compared.
  init?(_ range: SearchRange, _ estimate: Estimate, options: PatchMaker.Options) {
    let count = range.new.count
    let compared = estimate.extent == .whole ? count : count / ScriptSample.step(count)
    let step = count / max(compared / Tuning.Screening.part, Tuning.Screening.fewest)
    guard step > 1 else { return nil }
    (ranges, all) = ScriptSample.ranges(count, step: step, size: Tuning.Screening.piece)
    self.estimate = estimate
    self.options = options
  }

  /// What a script makes of these parts, in bytes after compression.
  func size(of script: PatchScript) throws(DeltaCreateError) -> Int {
    try ScriptSample(script, ranges, of: all, options: options).size(estimate.compressor, options: options)
  }

  /// Whether a script with this size here is hardly smaller as a whole than the one with the size `best`.
  func isTooLarge(_ size: Int, beside best: Int) -> Bool {
    size > best + best / Tuning.Screening.margin + Tuning.Screening.fewBytes
  }
}
