/// A script with an estimate of its size after compression.
///
/// Compressing as for a patch takes most of the time of making one. A fast compressor makes 1 to 30 % more of a sample, but
/// nearly the same part more of scripts that are alike.
struct Candidate {
  let script: PatchScript
  let origin: ScriptTrial.Origin
  let sample: ScriptSample
  /// In bytes.
  let size: Int

  let estimate: Estimate

  init(
    _ script: PatchScript, _ origin: ScriptTrial.Origin, by estimate: Estimate = .first,
    options: PatchMaker.Options
  ) throws(DeltaCreateError) {
    self.script = script
    self.origin = origin
    self.estimate = estimate
    sample = try ScriptSample(script, estimate.extent, options: options)
    let compressed =
      switch estimate.compressor {
      case .fast: try sample.fastSize(options.models[0], options: options)
      case .sorting: sample.sortedSize(options)
      }
    size = sample.whole(compressed)
  }

  /// The costs with which its copies were chosen; nil if they were not chosen by cost.
  var costs: PatchMaker.CopyCosts? {
    if case .costs(let costs, _) = origin { costs } else { nil }
  }

  /// Whether a size is so much larger that no choice of other copies makes up for it.
  func isFarBelow(_ size: Int) -> Bool { size > self.size + self.size / 3 }
}
