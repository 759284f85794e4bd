internal import Catalog
internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// `boot`: the maps are ready when it returns; the network is looked at behind it.
struct Boot {
  private let configuration: Configuration
  private let style: OutputStyle

  init(_ configuration: Configuration, _ style: OutputStyle) {
    self.configuration = configuration
    self.style = style
  }

  func run() throws(UpdateError) -> ExitStatus {
    let started = Clock.milliseconds
    do throws(UpdateError) {
      try makeReady(started)
    } catch {
      // Another process is at work on the store, and so has made it ready.
      guard error.disposition == .busy else { throw error }
      style.say("boot: another tinyupdater is at work")
    }
    style.emitResult(.success) { json in
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
      json.add("milliseconds", Clock.milliseconds - started)
    }
    if configuration.atBoot != .nothing && configuration.canConnect { lookBehind() }
    return .success
  }

  private func makeReady(_ started: UInt64) throws(UpdateError) {
    let journal = Journal(configuration.root, style)
    var updater = try Updater(configuration, Reporter(style, journal))
    let readiness = try updater.makeReady()
    style.say("boot: \(readiness.sentence)")
    journal.emit("boot") { json in
      json.add("state", readiness.word)
      if let release = readiness.release { json.add("release", release.json) }
    }
    if case .ready = readiness { return }
    guard let release = readiness.release else { return }
    journal.tellChange(from: nil, to: release)
    do throws(StoreError) {
      try Store(opening: configuration.root, for: .read).record(
        HistoryEntry(
          time: Clock.now, command: "boot", result: readiness.word, exitCode: 0, from: 0, to: release.number,
          downloaded: 0, peakResident: MemoryBudget.peakResident ?? 0,
          milliseconds: Clock.milliseconds - started))
    } catch {}
  }

  /// Goes on with what was interrupted and looks for news, as a second process, so that nothing waits for a network.
  ///
  /// A failure is a line in the log.
  private func lookBehind() {
    do throws(Errno) { guard try Background.begin() else { return } } catch {
      return Log.add(.warning, "nothing is looked for behind the start: \(error.sentence)")
    }
    var log = configuration.log
    // Nobody reads standard error any more.
    if log.destination == .standardError { log.destination = .syslog }
    Log.open(log, subject: "boot")
    do throws(UpdateError) {
      let wanted: Operation? = configuration.atBoot == .apply ? .update() : nil
      try Changes(configuration, .quiet).resume(with: wanted)
    } catch { _ = OutputStyle.quiet.report(error) }
    guard configuration.atBoot == .check else { return }
    do throws(UpdateError) { _ = try Queries(configuration, .quiet).check() } catch {
      _ = OutputStyle.quiet.report(error)
    }
  }
}

extension Readiness {
  /// For events and the history.
  fileprivate var word: String {
    switch self {
    case .ready: "ready"
    case .adopted: "adopted"
    case .rebuilt: "rebuilt"
    case .fellBack: "fell-back"
    case .empty: "empty"
    }
  }

  fileprivate var sentence: String {
    switch self {
    case .ready(let release): "\(release.text) is ready"
    case .adopted(let release): "\(release.text) came with the device and is installed"
    case .rebuilt(let release, let count):
      "\(release.text) is ready; the list of its \(count) components was lost and was made again"
    case .fellBack(let release): "the newest maps cannot be used; back to \(release.text)"
    case .empty: "nothing is installed"
    }
  }
}
