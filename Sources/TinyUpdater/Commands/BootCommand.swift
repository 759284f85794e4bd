internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// `boot`: makes the maps ready after a start of the device; the network is used in the background.
struct BootCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "boot", operands: .none,
      summary: "make the maps ready after a device start, then check for updates in the background")
  }

  init(_ invocation: Invocation) throws(UsageError) { try invocation.takeNoOperands() }

  func run(_ session: Session) throws(UpdateError) -> ExitStatus {
    let started = Clock.milliseconds
    let (configuration, console) = (session.configuration, session.console)
    do throws(UpdateError) {
      let readiness = try Reporter(console).makeUpdater(configuration).makeReady()
      console.say("boot: \(readiness.sentence)")
    } catch {
      // A process that is changing the store has made it ready.
      guard error.disposition == .busy else { throw error }
      console.say("boot: another tinyupdater is at work")
    }
    console.emitResult(.success) { json in
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
      json.add("milliseconds", Clock.milliseconds - started)
    }
    let isConverting = BootCommand.isConverting(configuration.root)
    if isConverting || configuration.atBoot != .nothing && configuration.canConnect {
      checkInBackground(configuration, isConverting: isConverting)
    }
    return .success
  }

  private static func isConverting(_ root: String) -> Bool {
    do throws(StoreError) { return try Store(opening: root).isConverting() } catch { return false }
  }

  /// Resumes what was interrupted and checks for updates in a second process, so that nothing waits for a network.
  ///
  /// A failure is a line in the log.
  ///
  /// - `isConverting`: an update in place goes on, which needs no network.
  private func checkInBackground(_ configuration: Configuration, isConverting: Bool) {
    do throws(Errno) { guard try Background.begin() else { return } } catch {
      return Log.add(.warning, text: "background check could not start: \(error.sentence)")
    }
    var log = configuration.log
    // Standard error is /dev/null now.
    if log.destination == .standardError { log.destination = .syslog }
    Log.open(log, subject: "boot")
    // What was begun continues at once; only the repository is not asked by all devices at the same time.
    guard isConverting || SpreadDelay.pass(upTo: configuration.spread, on: .quiet) else { return }
    let session = Session(configuration, console: .quiet)
    do throws(UpdateError) {
      let wanted: Operation? = configuration.atBoot == .apply || isConverting ? .update() : nil
      try QueueRunner(session).resume(with: wanted)
    } catch { _ = Console.quiet.report(error) }
    guard configuration.atBoot == .check && configuration.canConnect else { return }
    do throws(UpdateError) { _ = try CheckCommand.check(session) } catch {
      _ = Console.quiet.report(error)
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
    case .relinked(let release): "the link to the maps was lost; \(release.text) is ready"
    case .onTrial(let release, let starts, let limit):
      "\(release.text) is ready and on trial, start \(starts) of \(limit)"
    case .rolledBack(let from, let to, let reason):
      "\(from.text) has failed its trial (\(reason.sentence)); back to \(to.text)"
    case .empty: "nothing is installed"
    }
  }
}
