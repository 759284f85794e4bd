internal import Catalog
internal import Platform
internal import Store
internal import Transport
internal import Updater

/// The commands that change the store.
struct Changes {
  private let configuration: Configuration
  private let style: OutputStyle
  private let started = Clock.milliseconds

  init(_ configuration: Configuration, _ style: OutputStyle) {
    self.configuration = configuration
    self.style = style
  }

  func run(_ operation: Operation) throws(UpdateError) -> ExitStatus {
    var updater = try Updater(configuration, Reporter(style))
    do throws(UpdateError) {
      let outcome = try updater.run(operation)
      return finish(operation.word, outcome, updater)
    } catch { return fail(operation.word, error, updater) }
  }

  func rollBack() throws(UpdateError) -> ExitStatus {
    var updater = try Updater(configuration, Reporter(style))
    do throws(UpdateError) {
      let outcome = try updater.rollBack()
      return finish("rollback", outcome, updater)
    } catch { return fail("rollback", error, updater) }
  }

  private func fail(_ word: String, _ error: UpdateError, _ updater: borrowing Updater<Reporter>)
    -> ExitStatus
  {
    updater.observer.finish()
    let status = style.report(error)
    record(word, status, from: nil, to: nil, updater, error)
    return status
  }

  private func finish(_ word: String, _ outcome: Outcome, _ updater: borrowing Updater<Reporter>)
    -> ExitStatus
  {
    updater.observer.finish()
    let plan = updater.observer.plan
    let downloaded = updater.downloaded
    switch outcome {
    case .changed(let from, let to):
      let moved = from == nil || from == to ? "\(to.text)" : "from \(from?.text ?? "") to \(to.text)"
      let effort = plan == nil ? "" : ", \(ByteCount(downloaded).text) downloaded, \(duration)"
      style.say("\(word): \(moved)\(effort)")
      Log.add(.info, "\(moved)\(effort)", isSaid: true)
      record(word, .success, from: from, to: to, updater)
    case .nothingToDo(let release):
      Log.add(.info, "nothing to do", isSaid: true)
      style.say(
        release.map { "\(word): nothing to do, \($0.text) is installed" } ?? "\(word): nothing is installed")
    }
    style.emitResult(.success) { json in
      if case .changed(let from, let to) = outcome {
        if let from { json.add("from", from.json) }
        json.add("to", to.json)
      }
      json.add("downloaded", downloaded)
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
      json.add("milliseconds", Clock.milliseconds - started)
    }
    return .success
  }

  /// How long it has taken so far, such as "0.4 s" or "2 min 5 s".
  private var duration: String {
    let milliseconds = Clock.milliseconds - started
    guard milliseconds < 10_000 else { return ProgressBar.duration((milliseconds + 500) / 1000) }
    return "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
  }

  /// Writes the run into the history.
  ///
  /// A store that cannot be written to has said so already.
  private func record(
    _ word: String, _ status: ExitStatus, from: Release?, to: Release?,
    _ updater: borrowing Updater<Reporter>,
    _ error: UpdateError? = nil
  ) {
    guard status != .busy && status != .usage else { return }
    var entry = HistoryEntry(
      time: Clock.now, command: word, result: status.name, exitCode: status.rawValue,
      from: from?.number ?? 0, to: to?.number ?? 0, downloaded: updater.downloaded,
      peakResident: MemoryBudget.peakResident ?? 0, milliseconds: Clock.milliseconds - started)
    if let plan = updater.observer.plan {
      entry.planned = HistoryFigures(
        download: plan.download, index: plan.includesIndexes ? plan.indexSize : 0, peakDisk: plan.peakDisk)
      entry.reserve = configuration.spaceReserve
    }
    let figures = updater.figures
    entry.happened = HistoryFigures(
      download: figures.fetched, index: figures.indexed, peakDisk: figures.peakDisk)
    entry.failedAttempts = updater.observer.failedAttempts
    entry.failure = updater.observer.lastFailure
    // The attempt that was the last one is no event of the connection, but the error itself.
    if case .transport(let error) = error, let failure = error.failedRequest {
      entry.failedAttempts += 1
      entry.failure = failure
    }
    do throws(StoreError) { try Store(opening: configuration.root, for: .read).record(entry) } catch {}
  }
}
