package import MapModel
package import Platform

/// What came of an operation.
package indirect enum Outcome: Equatable {
  /// The store has a new generation.
  case changed(from: Release?, to: Release)
  /// The same, without maps that could not be made in place; their download is in the queue.
  case incomplete(from: Release?, to: Release)
  /// The same, without packages that were asked for and that the server does not give to this device.
  case partial(from: Release?, to: Release, without: [PackageID])
  /// A newer release stands by; the store has the generation that it had.
  ///
  /// `from`: when it is in effect, in seconds since 1970, if it is not yet.
  case staged(at: Release, standby: Release, from: Int64?)
  /// The same, since an earlier operation.
  case standsBy(at: Release, standby: Release, from: Int64?)
  /// It is as it was asked for already; nil if nothing is installed.
  case nothingToDo(at: Release?)

  /// From which release to which one the store went; nil if it stayed as it was.
  package var change: (from: Release?, to: Release)? {
    switch self {
    case .changed(let from, let to), .incomplete(let from, let to), .partial(let from, let to, _): (from, to)
    case .staged, .standsBy, .nothingToDo: nil
    }
  }

  /// The release that stands by, if that is what came of it.
  package var standby: Release? {
    switch self {
    case .staged(_, let standby, _), .standsBy(_, let standby, _): standby
    case .changed, .incomplete, .partial, .nothingToDo: nil
    }
  }

  /// The releases before and after it.
  var releases: (from: Release?, to: Release?) {
    switch self {
    case .changed(let from, let to), .incomplete(let from, let to), .partial(let from, let to, _): (from, to)
    case .staged(let release, let standby, _), .standsBy(let release, let standby, _): (release, standby)
    case .nothingToDo(let release): (release, release)
    }
  }

  /// It was as it was asked for before.
  var changesNothing: Bool {
    switch self {
    case .standsBy, .nothingToDo: true
    case .changed, .incomplete, .partial, .staged: false
    }
  }

  /// For the queue, and for JSON if it is no success.
  package var sentence: String {
    switch self {
    case .incomplete: "some maps are missing; their download is in the queue"
    case .partial(_, _, let ids):
      "this device does not get \(ids.map { $0.text }.listed); what else was asked for is installed"
    case .staged(_, let standby, nil), .standsBy(_, let standby, nil):
      "\(standby.text) is staged; \"tinyupdater activate\" switches to it"
    case .staged(_, let standby, .some(let time)), .standsBy(_, let standby, .some(let time)):
      "\(standby.text) is staged, and in effect from \(Clock.timestamp(time))"
    case .changed, .nothingToDo: "done"
    }
  }

  package var code: ResultCode {
    switch self {
    case .incomplete: .incomplete
    case .partial: .refused
    case .changed, .staged, .standsBy, .nothingToDo: .success
    }
  }
}

extension Outcome {
  /// What came of both.
  func followed(by next: Outcome) -> Outcome {
    guard let (before, _) = change, let (_, after) = next.change else { return change == nil ? next : self }
    switch (self, next) {
    case (.incomplete, _), (_, .incomplete): return .incomplete(from: before, to: after)
    case (_, .partial(_, _, let ids)), (.partial(_, _, let ids), _):
      return .partial(from: before, to: after, without: ids)
    default: return .changed(from: before, to: after)
    }
  }
}

extension Operation {
  /// An update that was finished before this one could begin has done it as well, as far as is known.
  func isDone(by outcome: Outcome) -> Bool {
    guard case .update = self, ids.isEmpty, let reached = outcome.change?.to else { return false }
    return release.map { $0.names(reached) } ?? true
  }
}
