internal import Catalog
internal import MapModel
internal import Platform
internal import Store

/// Tells other processes what this one does: as events (`docs/events.md`), and as what is active just now.
///
/// A class, because the pulse of an operation tells of it between the calls of its observer.
final class Journal {
  private let style: OutputStyle
  private let events: EventLog
  private let root: String
  private var active: ActiveOperation?
  private var waiting = 0
  private var lastProgress: UInt64 = 0
  private var lastShown: UInt64 = 0

  init(_ root: String, _ style: OutputStyle) {
    self.style = style
    self.root = root
    events = EventLog(root)
  }

  /// Writes an event to the log, and to standard output if JSON is asked for there.
  func emit(_ event: String, _ fill: (inout JSON) -> Void) {
    var json = JSON()
    json.add("event", event)
    json.add("time", Clock.timestamp(Clock.now))
    if let active { json.add("operation", active.number) }
    fill(&json)
    events.append(json.text)
    if style == .json { Terminal.writeLine(json.text) }
  }

  /// Tells that other maps are current.
  func tellChange(from: Release?, to: Release) {
    emit("changed") { json in
      if let from { json.add("from", from.json) }
      json.add("to", to.json)
      json.add("structure", from != to)
    }
  }

  // MARK: - What is active

  func begin(_ operation: QueuedOperation) {
    active = ActiveOperation(number: operation.number, process: ThisProcess.number)
    show()
  }

  func end() { active = nil }

  /// Sets what is worked on now; the download's figures stay.
  func show(_ components: [ActiveOperation.Component], waiting: Int) {
    active?.components = components
    self.waiting = waiting
    show()
  }

  /// So many bytes of all are there.
  func progress(_ done: UInt64, of total: UInt64) {
    active?.done = done
    active?.total = total
    if Clock.milliseconds - lastProgress >= 500 { tellProgress() }
  }

  /// Tells of the progress at least once a second, whatever takes so long.
  func pulse() {
    if Clock.milliseconds - lastProgress >= 900 { tellProgress() }
  }

  private func tellProgress() {
    lastProgress = Clock.milliseconds
    guard let active else { return }
    // Each update writes a new file, and the events say the same.
    if lastProgress - lastShown >= 2000 { show() }
    let waiting = waiting
    emit("progress") { json in
      active.write(to: &json)
      json.add("waiting", waiting)
    }
  }

  private func show() {
    guard let active else { return }
    lastShown = Clock.milliseconds
    do throws(StoreError) {
      guard let queue = try OperationQueue.open(root) else { return }
      queue.show(active)
    } catch {}
  }
}

extension Operation {
  /// What `operation` events say of it.
  func write(to json: inout JSON) {
    json.add("command", word)
    json.add("ids", ids)
    if !except.isEmpty { json.add("except", except) }
    json.add("manual", isManual)
  }
}

extension ActiveOperation {
  /// What `progress` events say of it.
  func write(to json: inout JSON) {
    if let component = components.first {
      json.add("id", component.id)
      json.add("group", component.dataGroup)
      json.add("state", component.activity.word)
    }
    json.add("done", done)
    json.add("total", total)
  }
}
