internal import Crypto
internal import MapModel
internal import Platform

// The file `trial` (`docs/format/store.md`, Trial): lines, the last one with the digest of those before.
extension TrialRecord {
  private static var firstLine: String { "tinyupdater-trial 1" }

  func text() throws(StoreError) -> String {
    var text = TrialRecord.firstLine + "\n"
    for trial in trials { text += "trial \(trial.generation) \(trial.wayBack) \(trial.starts)\n" }
    for block in blocked {
      text += "blocked \(block.release.number) \(block.release.label) \(block.generation) \(block.time) "
      text += "\(block.reason.words)\n"
    }
    return text + "end \(try TrialRecord.digest(of: text))\n"
  }

  /// Nil if the text is damaged.
  init?(_ text: String) throws(StoreError) {
    let limit = StoreLimits.trials + StoreLimits.blockedReleases + 3
    let lines = text.parts(separatedBy: "\n", limit: limit)
    // Nothing follows the last line but its line feed.
    guard lines.count >= 3, lines[0] == TrialRecord.firstLine, lines[lines.count - 1].isEmpty else {
      return nil
    }
    var (checked, trials, blocked) = (lines[0] + "\n", [Trial](), [BlockedRelease]())
    for line in lines[1..<lines.count - 2] {
      checked += line + "\n"
      if let trial = Trial(line) {
        trials.append(trial)
      } else if let block = BlockedRelease(line) {
        blocked.append(block)
      } else {
        return nil
      }
    }
    guard trials.count <= StoreLimits.trials, blocked.count <= StoreLimits.blockedReleases,
      lines[lines.count - 2] == "end \(try TrialRecord.digest(of: checked))"
    else { return nil }
    self.init(trials: trials, blocked: blocked)
  }

  private static func digest(of text: String) throws(StoreError) -> String {
    do throws(HasherError) { return try Hasher.digest(of: Array(text.utf8).span.bytes).hex } catch {
      throw .noMemory
    }
  }
}

extension Trial {
  fileprivate init?(_ line: String) {
    let words = line.parts(separatedBy: " ", limit: 5)
    guard words.count == 4, words[0] == "trial", let generation = Store.generationNumber(words[1]),
      let wayBack = Store.generationNumber(words[2]), let starts = UInt32(ascii: words[3].utf8)
    else { return nil }
    self.init(of: generation, wayBack: wayBack, starts: UInt64(starts))
  }
}

extension BlockedRelease {
  fileprivate init?(_ line: String) {
    let words = line.parts(separatedBy: " ", limit: 8)
    guard words.count == 7, words[0] == "blocked", let number = UInt64(ascii: words[1].utf8),
      Identifier.isLabel(words[2]), let generation = Store.generationNumber(words[3]),
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
