internal import MapModel
internal import Platform
internal import Store

/// Runs the health command on a generation that is on trial.
struct HealthCheck {
  let settings: HealthSettings
  let release: Release
  let trial: Trial
  let events: ActivityPublisher
  let heartbeat: Heartbeat

  /// Why the generation is not healthy; nil if it is, or if the command could not be started.
  ///
  /// A command that cannot be started says nothing about the maps, and would be missing after a rollback too: the
  /// trial continues, with a notice. `cancelled` after a signal, which says nothing either.
  func run(in store: borrowing LockedStore) throws(Failure) -> BlockedRelease.Reason? {
    guard let command = settings.command else { return nil }
    let ending: ChildProgram.Ending
    do throws(Failure) {
      let output = try store.openHealthLog()
      var child = try start(command, in: store, output: output)
      ending = try wait(for: &child, output: output)
    } catch {
      guard !error.isCancelled else { throw error }
      events.publish(.notice(.healthUnknown(command: command, reason: error.sentence)))
      return nil
    }
    let reason = reason(ending)
    log(in: store, as: reason == nil ? .info : .error)
    return reason
  }

  private func start(
    _ command: String, in store: borrowing LockedStore, output: borrowing File
  ) throws(Failure) -> ChildProgram {
    let variables = [
      (name: "TINYUPDATER_RELEASE", value: "\(release.number)"),
      (name: "TINYUPDATER_STARTS", value: "\(trial.starts)"),
    ]
    let available = try store.reading.space().available
    // A full file system must not end the command: its messages are cut to this size.
    var limits = ChildProgram.Limits(
      memory: settings.memory, seconds: settings.seconds, fileSize: max(available, UpdateLimits.indexLogFile))
    // The device waits for it.
    limits.nice = 0
    let path = "\(store.reading.path)/generations/\(trial.generation)"
    return try ChildProgram(
      starting: command, arguments: [path], settings: variables, output: output, limits: limits)
  }

  private func wait(
    for child: inout ChildProgram, output: borrowing File
  ) throws(Failure) -> ChildProgram.Ending {
    while true {
      if let ending = child.poll() { return ending }
      if heartbeat.shouldStop() {
        child.kill()
        throw .cancelled
      }
      do throws(Failure) {
        if try output.size() > UpdateLimits.indexLogFile { try output.truncate(to: 0) }
      } catch {}
      Clock.sleep(milliseconds: 5)
    }
  }

  private func reason(_ ending: ChildProgram.Ending) -> BlockedRelease.Reason? {
    switch ending {
    case .exited(0): nil
    case .exited(let code): .exited(code)
    case .killed(ChildProgram.processorTimeSignal), .overTime: .overTime(seconds: settings.seconds)
    case .killed(let signal): .killed(signal: signal)
    }
  }

  /// Passes the end of the command's output to the log, line by line.
  private func log(in store: borrowing LockedStore, as level: Log.Level) {
    do throws(Failure) {
      let bytes = try store.takeHealthLog(upTo: UpdateLimits.indexLog)
      for line in String(decoding: bytes, as: UTF8.self).parts(separatedBy: "\n") where !line.isEmpty {
        Log.add(level, text: "health of \(release.text): \(line)")
      }
    } catch {}
  }
}
