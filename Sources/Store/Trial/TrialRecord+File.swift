internal import MapModel
internal import MapReading
internal import Platform

// The file `trial` (`docs/format/store.md`, Trial).
extension TrialRecord {
  private static var firstLine: String { "tinyupdater-trial 1" }

  func bytes() throws(Failure) -> [UInt8] {
    var text = TrialRecord.firstLine + "\n"
    for trial in trials { text += "trial \(trial.generation) \(trial.wayBack) \(trial.starts)\n" }
    for block in blocked {
      text += "blocked \(block.release.number) \(block.release.label) \(block.generation) \(block.time) "
      text += "\(block.reason.words)\n"
    }
    return try SealedText.seal(text)
  }

  /// Nil if they are damaged.
  init?(_ bytes: [UInt8]) throws(Failure) {
    guard let lines = try SealedText.lines(of: bytes, format: TrialRecord.firstLine) else { return nil }
    var (trials, blocked) = ([Trial](), [BlockedRelease]())
    for words in lines {
      if let trial = Trial(words) {
        trials.append(trial)
      } else if let block = BlockedRelease(words) {
        blocked.append(block)
      } else {
        return nil
      }
    }
    guard trials.count <= StoreLimits.trials, blocked.count <= StoreLimits.blockedReleases else { return nil }
    self.init(trials: trials, blocked: blocked)
  }
}

extension Trial {
  fileprivate init?(_ words: [String]) {
    guard words.count == 4, words[0] == "trial", let generation = GenerationNumber.of(words[1]),
      let wayBack = GenerationNumber.of(words[2]), let starts = UInt32(ascii: words[3].utf8)
    else { return nil }
    self.init(of: generation, wayBack: wayBack, starts: UInt64(starts))
  }
}

extension BlockedRelease {
  fileprivate init?(_ words: [String]) {
    guard words.count == 7, words[0] == "blocked", let number = UInt64(ascii: words[1].utf8),
      Identifier.isLabel(words[2]), let generation = GenerationNumber.of(words[3]),
      let time = UInt64(ascii: words[4].utf8), let value = UInt32(ascii: words[6].utf8),
      let reason = Reason(words[5], value)
    else { return nil }
    self.init(
      Release(number: number, label: words[2]), generation: generation, time: Int64(clamping: time),
      reason: reason)
  }
}

extension BlockedRelease.Reason {
  fileprivate var words: String {
    switch self {
    case .rollback: "rollback 0"
    case .starts(let count): "starts \(count)"
    case .exited(let code): "exit \(code)"
    case .killed(let signal): "signal \(signal)"
    case .overTime(let seconds): "time \(seconds)"
    }
  }

  fileprivate init?(_ word: String, _ value: UInt32) {
    switch word {
    case "rollback": self = .rollback
    case "starts": self = .starts(UInt64(value))
    case "exit": self = .exited(CInt(clamping: value))
    case "signal": self = .killed(signal: CInt(clamping: value))
    case "time": self = .overTime(seconds: UInt64(value))
    default: return nil
    }
  }
}
