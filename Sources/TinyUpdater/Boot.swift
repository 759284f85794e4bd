internal import Catalog
internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// `boot`: the maps are ready when it returns; the network is used in the background.
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
      try makeReady()
    } catch {
      // Another process is at work on the store, and so has made it ready.
      guard error.disposition == .busy else { throw error }
      style.say("boot: another tinyupdater is at work")
    }
    style.emitResult(.success) { json in
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
      json.add("milliseconds", Clock.milliseconds - started)
    }
    if configuration.atBoot != .nothing && configuration.canConnect { checkInBackground() }
    return .success
  }

  private func makeReady() throws(UpdateError) {
    let readiness = try Reporter(style).makeUpdater(configuration).makeReady()
    style.say("boot: \(readiness.sentence)")
  }

  /// Resumes what was interrupted and checks for updates, as a second process, so that nothing waits for a network.
  ///
  /// A failure is a line in the log.
  private func checkInBackground() {
    do throws(Errno) { guard try Background.begin() else { return } } catch {
      return Log.add(.warning, "background check could not start: \(error.sentence)")
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
    do throws(UpdateError) { _ = try CheckCommand.check(Session(configuration, .quiet)) } catch {
      _ = OutputStyle.quiet.report(error)
    }
  }
}

extension Readiness {
  fileprivate var sentence: String {
    switch self {
    case .ready(let release): "\(release.text) is ready"
    case .adopted(let release): "\(release.text) came with the device and is installed"
    case .rebuilt(let release, let count):
      "\(release.text) is ready; the list of its \(count) components was lost and has been rebuilt"
    case .fellBack(let release): "the newest maps cannot be used; back to \(release.text)"
    case .empty: "nothing is installed"
    }
  }
}
