internal import Catalog
internal import InPlace
internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// The members of the event `status`.
extension StatusFacts {
  func write(to json: inout JSON) {
    if let maps {
      maps.write(to: &json)
    } else {
      json.add("components", 0)
    }
    if let storage {
      json.add("storage", storage.used)
      json.add("storageLimit", storage.limit)
    }
    if let area { json.add("area", area.json) }
    if !terms.recalled.isEmpty { json.add("recalled", terms.recalled.map { $0.json }) }
    if let expires = terms.expires {
      json.add("expires", Clock.timestamp(expires))
      json.add("expired", terms.isExpired)
    }
    if let known { json.add("newest", known.newest.release.json) }
    if let announced = known?.announced {
      var release = announced.release.json
      release.add("minimumApplication", announced.minimumApplication)
      json.add("applicationTooOld", release)
    }
    if let contact { json.add("contact", Clock.timestamp(contact.time)) }
    if !signatures.isEmpty { json.add("signatures", signatures.map { $0.json }) }
    if let lastRun { json.add("lastRun", lastRun.json) }
    if let lastFailure {
      var failure = lastFailure.entry.json
      failure.add("matters", lastFailure.matters)
      json.add("lastFailure", failure)
    }
    if let confinement { json.add("confinement", confinement.map { $0.word }) }
  }
}

extension InstalledFacts {
  fileprivate func write(to json: inout JSON) {
    if let release { json.add("release", release.json) }
    json.add("components", components)
    json.add("installedSize", size)
    json.add("indexSize", indexSize)
    json.add("damaged", damaged)
    if let verification { json.add("verification", verification.json(isCurrent: isVerificationCurrent)) }
    json.add("staged", staged)
    json.add("free", free)
    if let previous { json.add("previous", previous.json) }
    if let standby { json.add("standby", standby.json) }
    if let target = pending?.target { json.add("inPlace", target.release.json) }
    if let running { json.add("running", running.json) }
    if !waiting.isEmpty { json.add("waiting", waiting.map { $0.json }) }
    if let trial {
      var state = JSON()
      state.add("starts", trial.starts)
      state.add("limit", trial.limit)
      json.add("trial", state)
    }
    if !blocked.isEmpty { json.add("blocked", blocked.map { $0.json }) }
    if !refused.isEmpty { json.add("refused", refused.map { $0.statusJSON }) }
  }
}

extension SignatureExpiry {
  fileprivate var json: JSON {
    var json = JSON()
    json.add("role", role)
    json.add("expires", Clock.timestamp(time))
    json.add("expired", isOver)
    return json
  }
}

extension VerificationRecord {
  fileprivate func json(isCurrent: Bool) -> JSON {
    var json = JSON()
    json.add("time", Clock.timestamp(latest))
    json.add("components", components)
    json.add("complete", isComplete)
    json.add("current", isCurrent)
    return json
  }
}

extension RunningOperation {
  fileprivate var json: JSON {
    var json = operation.json
    json.add("process", active.process)
    if active.total > 0 {
      json.add("done", active.done)
      json.add("total", active.total)
    }
    return json
  }
}

extension QueuedOperation {
  fileprivate var json: JSON {
    var json = JSON()
    json.add("operation", number)
    operation.write(to: &json)
    return json
  }
}
