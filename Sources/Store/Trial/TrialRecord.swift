internal import MapModel

/// Which generations are on trial, and which releases are blocked: the file `trial`.
///
/// One file for both, so that one rename changes both.
package struct TrialRecord: Equatable {
  /// At most two: of the current generation, and of one that is about to become current.
  package private(set) var trials: [Trial] = []
  /// The one that was blocked last comes last.
  package private(set) var blocked: [BlockedRelease] = []

  package init() {}

  static var fileName: String { "trial" }

  /// The trial of a generation; nil if it is not on trial.
  package func trial(of generation: UInt64?) -> Trial? { trials.first { $0.generation == generation } }

  /// Why the release with this number is not installed by itself; nil if it is not blocked.
  package func block(of release: UInt64) -> BlockedRelease? {
    blocked.first { $0.release.number == release }
  }

  /// The device is to leave `generation` with this release: that was decided, and the power may have failed before it
  /// was done.
  package func departure(from generation: UInt64, of release: UInt64) -> BlockedRelease? {
    blocked.first { $0.generation == generation && $0.release.number == release }
  }

  /// Puts a generation on trial, or takes it off; of others only that of `current` is kept.
  package mutating func set(_ trial: Trial?, of generation: UInt64, current: UInt64?) {
    trials.removeAll { $0.generation == generation || $0.generation != current }
    if let trial { trials.append(trial) }
  }

  /// The device goes to `generation`, wherever it has left it before: that must not be finished at the next start.
  ///
  /// Its release stays blocked until it is confirmed, as it does when another generation of it is made.
  package mutating func returns(to generation: UInt64) {
    blocked = blocked.map {
      $0.generation == generation
        ? BlockedRelease($0.release, generation: 0, time: $0.time, reason: $0.reason) : $0
    }
  }

  /// Blocks a release; of too many, the one that was blocked first is forgotten.
  package mutating func block(_ release: BlockedRelease) {
    blocked.removeAll { $0.release.number == release.release.number }
    blocked.append(release)
    while blocked.count > StoreLimits.blockedReleases { blocked.removeFirst() }
  }

  /// The release with this number is good: no trial continues, and neither it nor an older one is blocked.
  package mutating func confirm(_ release: UInt64) {
    trials = []
    blocked.removeAll { $0.release.number <= release }
  }

  // For the parser, which has checked the bounds.
  init(trials: [Trial], blocked: [BlockedRelease]) {
    self.trials = trials
    self.blocked = blocked
  }
}
