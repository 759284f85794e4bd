package import MapModel
package import Platform

/// What came of an operation.
package enum Outcome: Equatable {
  /// The store has a new generation.
  case changed(from: Release?, to: Release)
  /// The same, without maps that could not be made in place; their download is in the queue.
  case incomplete(from: Release?, to: Release)
  /// It is as it was asked for already; nil if nothing is installed.
  case nothingToDo(at: Release?)

  /// From which release to which one the store went; nil if it stayed as it was.
  package var change: (from: Release?, to: Release)? {
    switch self {
    case .changed(let from, let to), .incomplete(let from, let to): (from, to)
    case .nothingToDo: nil
    }
  }

  /// The releases before and after it.
  var releases: (from: Release?, to: Release?) {
    switch self {
    case .changed(let from, let to), .incomplete(let from, let to): (from, to)
    case .nothingToDo(let release): (release, release)
    }
  }

  /// For the queue, and for JSON if it is no success.
  package var sentence: String {
    if case .incomplete = self { "some maps are missing; their download is in the queue" } else { "done" }
  }

  package var code: ResultCode {
    if case .incomplete = self { .incomplete } else { .success }
  }
}

extension Outcome {
  /// What came of both.
  func followed(by next: Outcome) -> Outcome {
    guard let (before, _) = change, let (_, after) = next.change else { return change == nil ? next : self }
    return code == .success ? .changed(from: before, to: after) : .incomplete(from: before, to: after)
  }
}

extension Operation {
  /// An update that was finished before this one could begin has done it as well, as far as is known.
  func isDone(by outcome: Outcome) -> Bool {
    guard case .update = self, ids.isEmpty, let reached = outcome.change?.to else { return false }
    return release.map { $0.names(reached) } ?? true
  }
}
