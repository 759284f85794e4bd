package import MapModel
internal import MapTree
package import Platform
package import Store

/// Events as they are written for other processes (`docs/events.md`).
extension UpdateEvent {
  /// The value of `event`.
  var name: String {
    switch self {
    case .queued, .cancelled, .started, .ended: "operation"
    case .planned: "plan"
    case .area: "area"
    case .component: "component"
    case .progress: "progress"
    case .committing: "applying"
    case .standby: "standby"
    case .changed: "changed"
    case .checked: "check"
    case .ready: "boot"
    case .applicationTooOld: "application-too-old"
    case .blocked: "release-blocked"
    case .recalled: "release-recalled"
    case .trial: "trial"
    case .connectionLost: "connection-lost"
    case .connectionFound: "connection-found"
    case .notice: "notice"
    }
  }

  /// Adds the members that follow `event`, `time` and the `operation` that is carried out.
  func write(to json: inout JSON) {
    switch self {
    case .queued(let number, let operation):
      json.add("operation", number)
      json.add("state", "queued")
      operation.write(to: &json)
    case .cancelled(let number, let ids):
      json.add("operation", number)
      json.add("state", "cancelled")
      json.add("ids", ids)
    case .started(let queued):
      json.add("state", "running")
      queued.operation.write(to: &json)
    case .ended(let report): report.write(to: &json)
    case .planned(let plan, let from, let to):
      if let from { json.add("from", from.json) }
      json.add("to", to.json)
      plan.write(to: &json)
    case .area(let change): change.write(to: &json)
    case .component(let name, let state):
      name.write(to: &json)
      state.write(to: &json)
    case .progress(let progress): progress.write(to: &json)
    case .committing, .connectionFound: break
    case .standby(let release): json.add("release", release.json)
    case .changed(let from, let to):
      if let from { json.add("from", from.json) }
      json.add("to", to.json)
      json.add("structure", from != to)
    case .checked(let result):
      json.add("available", result.isUpdateAvailable)
      if let installed = result.installed { json.add("from", installed.json) }
      if let newest = result.newest { json.add("to", newest.json) }
      if let upcoming = result.upcoming {
        var release = upcoming.release.json
        release.add("effective", Clock.timestamp(upcoming.effective))
        json.add("upcoming", release)
      }
      if let recall = result.recall {
        var recalled = JSON()
        recalled.add("because", recall.reason)
        if let release = recall.wayOut { recalled.add("to", release.json) }
        json.add("recalled", recalled)
      }
      if let blocked = result.blocked { json.add("blocked", blocked.json) }
      if !result.departures.isEmpty { json.add("departures", result.departures.map { $0.json }) }
    case .ready(let readiness):
      json.add("state", readiness.word)
      if let release = readiness.release { json.add("release", release.json) }
      readiness.writeDetails(to: &json)
    case .applicationTooOld(let release):
      json.add("release", release.release.json)
      json.add("minimumApplication", release.minimumApplication)
    case .blocked(let blocked): json.add("release", blocked.json)
    case .recalled(let recalled): json.add("release", recalled.json)
    case .trial(let release, let state):
      json.add("state", state == .begun ? "begun" : "confirmed")
      json.add("release", release.json)
    case .connectionLost(let loss):
      json.add("url", loss.url)
      json.add("cause", loss.cause)
      json.add("attempt", loss.attempt)
      json.add("pause", loss.pause)
    case .notice(let notice):
      notice.name?.write(to: &json)
      json.add("message", notice.sentence)
    }
  }
}

extension Readiness {
  fileprivate func writeDetails(to json: inout JSON) {
    switch self {
    case .onTrial(_, let starts, let limit):
      json.add("starts", starts)
      json.add("limit", limit)
    case .rolledBack(let release, _, let reason):
      json.add("from", release.json)
      json.add("reason", reason.sentence)
    case .incomplete(_, .replaced(by: let release)):
      if let release { json.add("to", release.json) }
    case .incomplete(_, .owed(let count)): json.add("owed", count)
    case .ready, .adopted, .rebuilt, .fellBack, .relinked, .lost, .empty: break
    }
  }
}

extension UpdateEvent.ComponentState {
  fileprivate func write(to json: inout JSON) {
    switch self {
    case .waiting: json.add("state", Activity.waiting.word)
    case .downloading(let payload, let waiting):
      json.add("state", Activity.downloading.word)
      json.add("payload", payload.kind)
      json.add("way", payload.method)
      json.add("download", payload.download)
      json.add("waiting", waiting)
    case .staged(_, let size, _):
      json.add("state", "staged")
      json.add("size", size)
    case .made(let size):
      json.add("state", "made")
      json.add("size", size)
    case .indexing: json.add("state", Activity.indexing.word)
    case .indexed(let size):
      json.add("state", "indexed")
      json.add("indexSize", size)
    case .installed: json.add("state", "installed")
    case .removed: json.add("state", "removed")
    }
  }
}

extension UpdateEvent.Progress {
  fileprivate func write(to json: inout JSON) {
    if let component { component.write(to: &json) }
    json.add("done", done)
    json.add("total", total)
    json.add("waiting", waiting)
  }
}

extension ComponentName {
  fileprivate func write(to json: inout JSON) {
    json.add("id", id)
    json.add("group", dataGroup)
    json.add("path", path)
  }
}

extension ActiveOperation {
  /// What `progress` says of another process's work.
  package func write(to json: inout JSON) {
    if let component = components.first { component.write(to: &json) }
    json.add("done", done)
    json.add("total", total)
  }
}

extension ActiveOperation.Component {
  fileprivate func write(to json: inout JSON) {
    name.write(to: &json)
    json.add("state", activity.word)
  }
}

extension Operation {
  /// What `operation` says of it.
  package func write(to json: inout JSON) {
    json.add("command", word)
    json.add("ids", ids)
    if !except.isEmpty { json.add("except", except) }
    json.add("manual", isManual)
  }
}

extension OperationReport {
  /// What the closing `operation` says.
  fileprivate func write(to json: inout JSON) {
    let state =
      switch ending {
      case .done: "done"
      case .failed(let error):
        operation.map { error.keeps($0.operation) } ?? error.keepsInQueue ? "waiting" : "failed"
      case .steppedAside, .postponed, .narrowed: "waiting"
      }
    json.add("state", state)
    if let queued = operation { queued.operation.write(to: &json) }
    switch ending {
    case .done(let outcome):
      json.add("result", outcome.code.name)
      json.add("exit", outcome.code.rawValue)
      json.add("changed", outcome.change != nil)
    case .failed(let error):
      let code = error.result
      json.add("result", code.name)
      json.add("exit", code.rawValue)
      json.add("message", error.sentence)
    case .steppedAside(let other): json.add("for", other)
    case .postponed(let obstacle): json.add("message", obstacle.sentence)
    case .narrowed: break
    }
  }
}
