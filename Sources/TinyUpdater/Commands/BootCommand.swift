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

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let started = Clock.milliseconds
    let (configuration, console) = (session.configuration, session.console)
    var (status, sentence) = (ExitStatus.success, "another tinyupdater is at work")
    var level = Log.Level.info
    let updater = try Reporter(console).makeUpdater(configuration)
    do throws(Failure) {
      let readiness = try updater.makeReady()
      (status, sentence, level) = (readiness.code, readiness.sentence, readiness.level)
    } catch {
      // A process that is changing the store has made it ready.
      guard error.disposition == .busy else { throw error }
    }
    console.conclude("boot", sentence, as: level)
    console.emitResult(status) { json in
      if status != .success { json.add("message", sentence) }
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
      json.add("milliseconds", Clock.milliseconds - started)
    }
    // An update in place goes on, which needs no network; what cannot be read has been said.
    var isPending: Bool
    do throws(Failure) { isPending = try updater.isPending() } catch { isPending = false }
    if !isPending { do throws(Failure) { isPending = try updater.isDueInPlace() } catch {} }
    if isPending || configuration.atBoot != .nothing && configuration.canConnect {
      continueInBackground(configuration, isPending: isPending)
    }
    return status
  }

  /// Resumes what was interrupted and checks for updates in a second process, so that nothing waits for a network.
  ///
  /// A failure is a line in the log.
  ///
  /// - `isPending`: an update in place goes on or begins, whatever the configuration says of starts.
  private func continueInBackground(_ configuration: Configuration, isPending: Bool) {
    do throws(Errno) { guard try Background.begin() else { return } } catch {
      return Log.add(.warning, text: "background check could not start: \(error.sentence)")
    }
    var log = configuration.log
    // Standard error is /dev/null now.
    if log.destination == .standardError { log.destination = .syslog }
    Log.open(log, subject: "boot")
    // What was begun continues at once; only the repository is not asked by all devices at the same time.
    let session = Session(configuration, console: .quiet)
    if isPending {
      do throws(Failure) {
        let runner = QueueRunner(session)
        try runner.activateInPlace()
        try runner.finishPending()
      } catch { _ = Console.quiet.report(error) }
    }
    guard configuration.atBoot != .nothing, configuration.canConnect else { return }
    guard isPending || SpreadDelay.pass(upTo: configuration.spread, on: .quiet) else { return }
    do throws(Failure) {
      try QueueRunner(session).resume(with: configuration.atBoot == .apply ? .update(mode: .automatic) : nil)
    } catch { _ = Console.quiet.report(error) }
    guard configuration.atBoot == .check else { return }
    do throws(Failure) { _ = try CheckCommand.check(session) } catch {
      _ = Console.quiet.report(error)
    }
  }
}

extension Readiness {
  /// What a person should look at is more than a piece of information.
  fileprivate var level: Log.Level {
    switch self {
    case .ready, .adopted, .onTrial, .empty: .info
    case .rebuilt, .fellBack, .relinked, .rolledBack, .incomplete: .warning
    case .lost: .error
    }
  }

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
    case .incomplete(let release, .replaced(let next)):
      "\(release.text) is ready, without the maps that an update in place\(next.map { " to \($0.text)" } ?? "") replaces; "
        + "it goes on in the background"
    case .incomplete(let release, .owed(let count)):
      "\(release.text) is ready, without \(count) package\(count == 1 ? "" : "s") still to be downloaded"
    case .lost: "all maps are lost; \"tinyupdater install ID…\" downloads them again"
    case .empty: "nothing is installed"
    }
  }
}
