/// Scripts for the same file, of which the smallest is kept; of the others, only why they were rejected.
struct Contest {
  /// A script that may be the smallest, and its number in `trials`.
  struct Entrant {
    let candidate: Candidate
    fileprivate let trial: Int
  }

  /// All that were tried, in order.
  private(set) var trials: [ScriptTrial] = []
  private var leader: Entrant?
  /// The best of scripts that are unlike these.
  private var others: [Entrant] = []

  /// The operations of scripts without streams that were tried, if they are not too many, and their sizes.
  private var known: [(operations: [ScriptOperation], shortestPause: Int, size: Int)] = []

  var best: Candidate? { leader?.candidate }

  /// Adds a script that is like the others, and returns whether it is the smallest so far.
  @discardableResult
  mutating func add(_ candidate: Candidate) -> Bool {
    guard !rejectIfKnown(candidate.script, candidate.origin) else { return false }
    let script = candidate.script
    if script.streams.isEmpty, script.operations.count <= Tuning.Contest.mostRemembered {
      known.append((script.operations, script.shortestPause, candidate.size))
    }
    guard candidate.size < best?.size ?? .max else {
      reject(candidate, .larger)
      return false
    }
    if let leader { trials[leader.trial].verdict = .rejected(.larger) }
    leader = Entrant(candidate: candidate, trial: trials.count)
    trials.append(ScriptTrial(origin: candidate.origin, size: candidate.size, verdict: .taken))
    return true
  }

  /// Rejects a script that has the operations of one that was added, which is known without estimating it; returns whether it
  /// does.
  mutating func rejectIfKnown(_ script: PatchScript, _ origin: ScriptTrial.Origin) -> Bool {
    let same = known.first {
      $0.shortestPause == script.shortestPause && $0.operations == script.operations
    }
    guard let same, script.streams.isEmpty else { return false }
    reject(origin, size: same.size, .same)
    return true
  }

  /// Adds a script that is unlike the best one: compressed, it may be smaller although its estimate is not.
  mutating func addUnlike(_ candidate: Candidate) {
    if let best, best.isFarBelow(candidate.size) {
      reject(candidate, .farAboveBest)
    } else {
      others.append(Entrant(candidate: candidate, trial: trials.count))
      reject(candidate, .largerWhenPacked)
    }
  }

  mutating func reject(_ candidate: Candidate, _ reason: ScriptTrial.Reason) {
    reject(candidate.origin, size: candidate.size, reason)
  }

  mutating func reject(_ origin: ScriptTrial.Origin, size: Int, _ reason: ScriptTrial.Reason) {
    trials.append(ScriptTrial(origin: origin, size: size, verdict: .rejected(reason)))
  }

  /// The scripts to compress, in the order of their estimates.
  mutating func finalists() -> [Entrant] {
    let all = ((leader.map { [$0] } ?? []) + others).sorted { $0.candidate.size < $1.candidate.size }
    guard let first = all.first else { return [] }
    for entrant in all where first.candidate.isFarBelow(entrant.candidate.size) {
      trials[entrant.trial].verdict = .rejected(.farAboveBest)
    }
    return all.filter { !first.candidate.isFarBelow($0.candidate.size) }
  }

  /// Notes that one of the finalists is the smallest so far.
  mutating func take(_ finalist: Entrant) {
    for index in trials.indices where trials[index].verdict == .taken {
      trials[index].verdict = .rejected(.largerWhenPacked)
    }
    trials[finalist.trial].verdict = .taken
  }
}
