internal import MapModel
internal import MapTree
internal import Platform
internal import Store
internal import Updater

/// Shows what an updater does: a bar on a terminal, lines elsewhere.
///
/// A class, because it draws while the updater that it observes is at work.
final class Reporter {
  private let console: Console
  private var bar = ProgressBar()
  /// The bar is shown.
  private var isDrawn = false

  init(_ console: Console) { self.console = console }

  /// An updater that reports here.
  ///
  /// - `record`: where what happens is written.
  func makeUpdater(
    _ configuration: Configuration, record: EventRecord = .store
  ) throws(Failure) -> Updater {
    let echo: ((String) -> Void)? = console == .json ? { Terminal.writeLine($0) } : nil
    return try Updater(configuration, record: record, confines: true, echo: echo) { self.show($0) }
  }

  func show(_ event: UpdateEvent) {
    switch event {
    case .started:
      bar = ProgressBar()
    case .ended: finish()
    case .planned(let plan, _, let to):
      guard plan.fetched > 0 else { return }
      console.say(
        "\(to.text): \(plan.patched) by patch, \(plan.full) in full, \(plan.kept) unchanged; "
          + "\(ByteCount(plan.download).text) to \(plan.isLocal ? "copy" : "download")")
    case .area(let change):
      Log.add(.info, text: "around the device: \(change.sentence)", standardError: .written)
      console.say("around the device: \(change.sentence)")
    case .component(let name, let state): show(name, as: state)
    case .progress(let progress): draw(progress)
    case .connectionLost(let loss): show(loss)
    case .connectionFound:
      Log.add(.info, text: "the connection is back", standardError: .written)
      complain("the connection is back")
    case .notice(let notice):
      Log.add(.warning, text: notice.sentence, standardError: .written)
      complain(notice.sentence)
    case .blocked(let blocked):
      Log.add(.info, text: blocked.sentence, standardError: .written)
      console.say(blocked.sentence)
    case .recalled(let recalled):
      let sentence = "\(recalled.release.text) is recalled by its publisher: \(recalled.reason)"
      Log.add(.warning, text: sentence, standardError: .written)
      console.say(sentence)
    case .trial(let release, .begun): console.say("\(release.text) is on trial until \"tinyupdater confirm\"")
    case .queued, .cancelled, .committing, .standby, .changed, .checked, .ready, .applicationTooOld, .trial:
      break
    }
  }

  private func show(_ name: ComponentName, as state: UpdateEvent.ComponentState) {
    switch state {
    case .downloading(let payload, _):
      sayInDetail("\(name.path): \(payload.method), \(ByteCount(payload.download).text)")
    case .staged(let payload, _, let waiting):
      guard case .lines = console else { return }
      console.say("\(name.path)  \(payload.method)  \(ByteCount(payload.download).text)  \(waiting) waiting")
    case .made: sayInDetail("\(name.path): made in place")
    case .indexing: sayInDetail("\(name.path): indexing")
    case .indexed(let size): sayInDetail("\(name.path): indexed, \(ByteCount(size).text)")
    case .waiting, .installed, .removed: break
    }
  }

  private func show(_ loss: UpdateEvent.ConnectionLoss) {
    let pause = loss.pause < 1000 ? "\(loss.pause) ms" : "\((loss.pause + 999) / 1000) s"
    Log.add(
      .warning,
      text:
        "\(loss.url): \(loss.cause); attempt \(loss.attempt) failed, attempt \(loss.attempt + 1) follows in \(pause)",
      standardError: .written)
    complain("\(loss.url): \(loss.cause); attempt \(loss.attempt + 1) in \(pause)")
  }

  // MARK: - Writing

  private func sayInDetail(_ sentence: String) {
    if console == .lines(verbose: true) { console.say(sentence) }
  }

  /// Erases the bar before the closing line.
  func finish() {
    if console == .bar && isDrawn { ProgressBar.erase(from: .error) }
    isDrawn = false
  }

  private func complain(_ sentence: String) {
    switch console {
    case .bar:
      ProgressBar.erase(from: .error)
      Terminal.writeLine(sentence, to: .error)
    case .lines, .quiet: Terminal.writeLine("tinyupdater: \(sentence)", to: .error)
    case .json: break
    }
  }

  private func draw(_ progress: UpdateEvent.Progress) {
    guard console == .bar, let component = progress.component else { return }
    isDrawn = true
    let note = "\(component.name.path), \(progress.waiting) waiting".printable()
    let columns = Terminal.columns(.error)
    let mark = TextStyle().cut
    if let line = bar.line(
      done: progress.done, total: progress.total, note: note, columns: columns, mark: mark)
    {
      ProgressBar.draw(line, to: .error)
    }
  }
}
