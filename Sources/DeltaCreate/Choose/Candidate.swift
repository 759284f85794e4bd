/// A script with an estimate of its size after compression.
///
/// Compressing as for a patch takes most of the time of making one. A fast compressor makes 1 to 30 % more of a sample, but
/// nearly the same part more of scripts that are alike.
struct Candidate {
  let script: PatchScript
  let origin: ScriptTrial.Origin
  /// How its size was estimated.
  let estimate: Estimate
  let sample: ScriptSample
  /// In bytes.
  let size: Int

  init(
    _ script: PatchScript, _ origin: ScriptTrial.Origin, by estimate: Estimate = .first,
    options: PatchMaker.Options
  ) throws(DeltaCreateError) {
    let sample = try ScriptSample(script, estimate.extent, options: options)
    try self.init(script, origin, sample, by: estimate, options: options)
  }

  private init(
    _ script: PatchScript, _ origin: ScriptTrial.Origin, _ sample: ScriptSample, by estimate: Estimate,
    options: PatchMaker.Options
  ) throws(DeltaCreateError) {
    (self.script, self.origin, self.sample, self.estimate) = (script, origin, sample, estimate)
    size = sample.whole(try sample.size(estimate.compressor, options: options))
  }

  /// The same script, estimated in the way that suits scripts like it.
  func estimatedBetter(_ options: PatchMaker.Options) throws(DeltaCreateError) -> Candidate {
    guard size <= Tuning.Estimate.wholePatch else {
      return try sample.isSmallerSorted(options) ? sorted(options) : self
    }
    let whole = try Candidate(
      script, origin, by: Estimate(extent: .whole, compressor: .fast), options: options)
    let sorted = try whole.sorted(options)
    return sorted.size < whole.size ? sorted : whole
  }

  private func sorted(_ options: PatchMaker.Options) throws(DeltaCreateError) -> Candidate {
    let estimate = Estimate(extent: estimate.extent, compressor: .sorting)
    return try Candidate(script, origin, sample, by: estimate, options: options)
  }

  /// The costs with which its copies were chosen; nil if they were not chosen by cost.
  var costs: PatchMaker.CopyCosts? {
    if case .costs(let costs, _) = origin { costs } else { nil }
  }

  /// Whether a size is so much larger that no choice of other copies makes up for it.
  func isFarBelow(_ size: Int) -> Bool { size > self.size + self.size / 3 }
}
