internal import Catalog
internal import InPlace
internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// Writes the status of a device for people, in rows of a label and a sentence.
struct StatusView {
  private let facts: StatusFacts
  private let console: Console

  init(_ facts: StatusFacts, console: Console) {
    self.facts = facts
    self.console = console
  }

  func write() {
    guard let maps = facts.maps else {
      console.say("nothing is installed")
      writeRepository()
      return writeConfinement()
    }
    console.say(maps.release?.text ?? "nothing is installed")
    writeReleases(maps)
    if let running = maps.running { console.say("running     \(running.sentence)") }
    for queued in maps.waiting { console.say("waiting     \(queued.operation.sentence)") }
    writeMaps(maps)
    writeReturn(maps)
    console.say("staging     \(maps.staged == 0 ? "empty" : ByteCount(maps.staged).text)")
    console.say("free        \(ByteCount(maps.free).text)")
    writeRepository()
    writeRuns()
    writeConfinement()
  }

  /// What the publisher says of releases, and which ones are to come.
  private func writeReleases(_ maps: InstalledFacts) {
    if let expires = facts.terms.expires {
      console.say(
        facts.terms.isExpired
          ? "expired     since \(Clock.timestamp(expires)): these maps are not to be used any more"
          : "expires     at \(Clock.timestamp(expires))")
    }
    if let newest = facts.known?.newest.release, newest.number > maps.release?.number ?? 0 {
      console.say("newest      \(newest.text)")
    }
    if let announced = facts.known?.announced { console.say("application \(announced.sentence)") }
    if let pending = maps.pending {
      let target = pending.target?.release.text ?? "another release"
      console.say("in place    \(target) is being made: what changes is not there until it is done")
    }
    if let standby = maps.standby { console.say("standby     \(standby.text); \(standby.advice)") }
  }

  /// What is installed, and in which state.
  private func writeMaps(_ maps: InstalledFacts) {
    console.say("installed   \(maps.components) components, \(ByteCount(maps.size).text)")
    if let storage = facts.storage {
      console.say("storage     \(ByteCount(storage.used).text) of \(ByteCount(storage.limit).text)")
    }
    if let area = facts.area { console.say("area        \(area.sentence)") }
    if maps.indexSize > 0 { console.say("indexes     \(ByteCount(maps.indexSize).text)") }
    if maps.damaged > 0 {
      console.say(
        "damaged     \(maps.damaged) component\(maps.damaged == 1 ? "" : "s"); run \"tinyupdater repair\"")
    }
    if let verification = maps.verification {
      let sentence =
        maps.isVerificationCurrent
        ? verification.sentence(of: maps.components) : "not since the last change"
      console.say("verified    \(sentence)")
    }
  }

  /// The ways back, and what has been left.
  private func writeReturn(_ maps: InstalledFacts) {
    console.say("rollback    \(maps.previous.map { "to \($0.text)" } ?? "no previous generation")")
    if let trial = maps.trial {
      console.say("trial       \(trial.starts) of \(trial.limit) starts, until \"tinyupdater confirm\"")
    }
    for release in maps.blocked {
      console.say("blocked     \(release.release.text): \(release.reason.sentence)")
    }
    for refusal in maps.refused { console.say("refused     \(refusal.sentence)") }
    for release in facts.terms.recalled {
      console.say("recalled    \(release.release.text): \(release.reason)")
    }
  }

  /// When the repository was reached, and how long what it has signed is valid.
  private func writeRepository() {
    if let contact = facts.contact { console.say("contact     at \(Clock.timestamp(contact.time))") }
    guard let first = facts.firstExpiry else { return }
    let time = "\(Clock.timestamp(first.time)) (\(first.role))"
    console.say(
      first.isOver
        ? "signatures  expired since \(time): no newer ones have come, or the clock is wrong"
        : "signatures  valid until \(time)")
  }

  private func writeRuns() {
    if let last = facts.lastRun {
      console.say(
        "last run    \(last.command) at \(Clock.timestamp(last.time)): \(last.words), "
          + "\(ByteCount(last.downloaded).text) downloaded, \(last.milliseconds) ms, "
          + "peak memory \(ByteCount(last.peakResident).text)")
    }
    guard let failure = facts.lastFailure, failure.matters || failure.entry == facts.lastRun else { return }
    let entry = failure.entry
    let cause = entry.text.isEmpty ? "" : " (\(entry.text))"
    console.say(
      "failure     \(entry.command) at \(Clock.timestamp(entry.time)): \(entry.words)\(cause)"
        + (failure.matters ? "" : "; the repository was reached since"))
  }

  private func writeConfinement() {
    if let confinement = facts.confinement { console.say(confinement.row) }
  }
}

extension [Confinement.Measure] {
  fileprivate var row: String {
    "confined    \(isEmpty ? "no: this build, or this system, has none of it" : map { $0.word }.listed)"
  }
}

extension VerificationRecord {
  /// Such as "3 of 12 components, last at 2024-06-30T12:00:00Z".
  fileprivate func sentence(of components: Int) -> String {
    let count = isComplete ? "all" : "\(self.components) of \(components)"
    return "\(count) components, last at \(Clock.timestamp(latest))"
  }
}

extension RunningOperation {
  /// Such as "apply, process 4711: europe/malta base downloading, 1.20 of 3.99 MB".
  fileprivate var sentence: String {
    var text = "\(operation.operation.sentence), process \(active.process)"
    if let component = active.components.first {
      text += ": \(component.name.path) \(component.activity.word)"
    }
    if active.total > 0 { text += ", \(ByteCount(active.done).text) of \(ByteCount(active.total).text)" }
    return text
  }
}
