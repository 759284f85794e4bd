package import MapModel
package import Platform
package import Store

/// What a start of the device found, and made of it.
package indirect enum Readiness: Equatable {
  /// The maps are there as they were.
  case ready(Release)
  /// The maps that came with the device are installed.
  case adopted(Release)
  /// The list of the installed maps was lost, and was rebuilt from the maps.
  case rebuilt(Release, components: Int)
  /// The list of the installed maps was lost and could not be rebuilt: the generation before is current.
  case fellBack(Release)
  /// The link to the current generation was lost: the newest one that is whole is current again.
  case relinked(Release)
  /// The maps are there, and on trial: starts so far, and how many there may be.
  case onTrial(Release, starts: UInt64, of: UInt64)
  /// The trial of a release has failed: the one before is current.
  case rolledBack(from: Release, to: Release, BlockedRelease.Reason)
  /// Maps are missing that the device owes.
  case incomplete(Release, Missing)
  /// Nothing is left of what was installed.
  case lost
  /// Nothing is installed, and nothing came with the device.
  case empty

  /// Which maps are missing.
  package enum Missing: Equatable {
    /// Those that an update in place to a release replaces; nil: what it says of itself is lost.
    case replaced(by: Release?)
    /// So many packages, whose download is in the queue.
    case owed(Int)
  }

  package var release: Release? {
    switch self {
    case .ready(let release), .adopted(let release), .rebuilt(let release, _), .fellBack(let release),
      .relinked(let release), .onTrial(let release, _, _), .rolledBack(_, let release, _),
      .incomplete(let release, _):
      release
    case .lost, .empty: nil
    }
  }

  /// Other maps than before are current.
  var isChange: Bool {
    switch self {
    case .ready, .onTrial, .incomplete, .empty: false
    case .adopted, .rebuilt, .fellBack, .relinked, .rolledBack, .lost: true
    }
  }

  /// The release that was current before, where it was another one.
  var left: Release? {
    switch self {
    case .rolledBack(let release, _, _): release
    case .ready, .adopted, .rebuilt, .fellBack, .relinked, .onTrial, .incomplete, .lost, .empty: nil
    }
  }

  /// Why the maps are others; empty if the word says it.
  var reason: String {
    switch self {
    case .rolledBack(_, _, let reason): reason.sentence
    case .ready, .adopted, .rebuilt, .fellBack, .relinked, .onTrial, .incomplete, .lost, .empty: ""
    }
  }

  /// What a start ends with: the maps may be there and not all of them, or none at all.
  package var code: ResultCode {
    switch self {
    case .ready, .adopted, .rebuilt, .fellBack, .relinked, .onTrial, .rolledBack, .empty: .success
    case .incomplete: .incomplete
    case .lost: .storage
    }
  }

  /// For events and the history.
  package var word: String {
    switch self {
    case .ready: "ready"
    case .adopted: "adopted"
    case .rebuilt: "rebuilt"
    case .fellBack: "fell-back"
    case .relinked: "relinked"
    case .onTrial: "on-trial"
    case .rolledBack: "rolled-back"
    case .incomplete: "incomplete"
    case .lost: "lost"
    case .empty: "empty"
    }
  }
}
