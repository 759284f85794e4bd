internal import MapModel
package import Platform
package import Store

extension BlockedRelease {
  /// What it is, and what a user can do about it.
  package var sentence: String {
    "\(release.text) is blocked (\(reason.sentence)); \"tinyupdater apply --release \(release.number)\" installs it "
      + "anyway"
  }

  /// For events and answers.
  package var json: JSON {
    var json = release.json
    json.add("time", Clock.timestamp(time))
    json.add("reason", reason.sentence)
    return json
  }
}

extension BlockedRelease.Reason {
  package var sentence: String {
    switch self {
    case .rollback: "rolled back by a user"
    case .starts(let count): "\(count) start\(count == 1 ? "" : "s") without a confirmation"
    case .exited(let code): "the health command exited with \(code)"
    case .killed(let signal):
      "the health command was killed by a signal (\(ChildProgram.name(ofSignal: signal)))"
    case .overTime(let seconds): "the health command timed out after \(seconds) seconds"
    }
  }
}
