internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// What `watch` shows a person: the state of the store and its queue, in lines that stay where they are.
///
/// It reads what the working process leaves in the store.
struct WatchView {
  /// Operations that are shown one by one.
  private static var longest: Int { 5 }

  private let root: String
  private let style = TextStyle()
  private var bar = ProgressBar()
  /// The operation that the bar is about.
  private var running: UInt64?
  /// What changes only when something happens.
  private var state: [String] = []
  private var drawn: [String] = []

  init(_ root: String) { self.root = root }

  /// It can be drawn: standard output is a terminal that moves its cursor.
  static var isPossible: Bool {
    Terminal.isInteractive(.output) && !(Environment.value("TERM") ?? "dumb").utf8.elementsEqual("dumb".utf8)
  }

  /// Looks at everything again that an event may have changed.
  mutating func refresh() {
    do throws(Failure) { state = try WatchView.state(of: root) } catch {
      if case .noStore = error { state = ["nothing is installed"] } else { state = [error.sentence] }
    }
  }

  /// Draws it over what was drawn last, if that was something else.
  mutating func draw() {
    let columns = Terminal.columns(.output)
    var lines = state
    do throws(Failure) { lines += try queue(columns) } catch { lines.append(error.sentence) }
    lines = lines.map { $0.printable(isUnicode: style.isUnicode) }.map {
      $0.columns < columns ? $0 : $0.fitted(to: max(1, columns - 1), mark: style.cut)
    }
    guard lines != drawn else { return }
    let back = drawn.isEmpty ? "" : "\r\u{1b}[\(drawn.count)A\u{1b}[J"
    Terminal.write("\(back)\(lines.joined(by: "\n"))\n")
    drawn = lines
  }

  private static func state(of root: String) throws(Failure) -> [String] {
    let store = try Store(opening: root)
    let installed = try store.currentRelease()?.release
    var lines = [installed?.text ?? "nothing is installed"]
    if let newest = try CatalogCache.open(root)?.known()?.newest.release,
      newest.number > installed?.number ?? 0
    {
      lines.append("newest      \(newest.text)")
    }
    if let standby = try StandbyState(store) { lines.append("standby     \(standby.text)") }
    if let last = try RecentRuns(of: root).last {
      lines.append("last run    \(last.command) at \(Clock.timestamp(last.time)): \(last.words)")
    }
    return lines
  }

  /// What is being done and what waits.
  private mutating func queue(_ columns: Int) throws(Failure) -> [String] {
    let (waiting, running) = try InstalledFacts.queue(of: root)
    var lines: [String] = []
    if let running {
      if running.operation.number != self.running { bar = ProgressBar() }
      let active = running.active
      lines.append("running     \(running.operation.operation.sentence), process \(active.process)")
      for component in active.components {
        lines.append("            \(component.name.path) \(component.activity.word)")
      }
      if active.total > 0,
        let line = bar.line(
          done: active.done, total: active.total, note: "", columns: columns, mark: style.cut, force: true)
      {
        lines.append(line)
      }
    }
    self.running = running?.operation.number
    for queued in waiting.prefix(WatchView.longest) {
      lines.append("waiting     \(queued.operation.sentence)")
    }
    if waiting.count > WatchView.longest {
      lines.append("            and \(waiting.count - WatchView.longest) more")
    }
    return lines.isEmpty ? ["idle"] : lines
  }
}
