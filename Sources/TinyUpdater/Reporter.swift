internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Store
internal import Updater

/// Tells what an operation does: a bar on a terminal, lines elsewhere, events as JSON.
struct Reporter: UpdateObserver {
  private let style: OutputStyle
  private let journal: Journal
  private var bar = ProgressBar()
  private var total: UInt64 = 0
  /// Bytes that have come for the components before the current one.
  private var before: UInt64 = 0
  private var current: (name: ComponentName, payload: Payload, left: UInt64, waiting: Int)?
  /// Bytes of the containers of the current payload that are applied.
  private var advanced: UInt64 = 0
  /// How the finished ones came, for the closing line.
  private(set) var plan: Plan?
  /// Attempts at a connection that failed and were followed by another one.
  private(set) var failedAttempts: UInt64 = 0
  /// The URL of the last of them, and its cause.
  private(set) var lastFailure = ""
  private var isDownloading = false
  private var beingIndexed: ComponentName?
  /// When the operation began, by the clock that only goes forward.
  private(set) var started = Clock.milliseconds

  init(_ style: OutputStyle, _ journal: Journal) {
    self.style = style
    self.journal = journal
  }

  // MARK: - The queue

  mutating func begins(_ operation: QueuedOperation) {
    self = Reporter(style, journal)
    journal.begin(operation)
    journal.emit("operation") { json in
      json.add("state", "running")
      operation.request.write(to: &json)
    }
  }

  mutating func ended(_ work: Work) {
    finish()
    journal.emit("operation") { json in work.write(to: &json) }
    if case .done(.changed(let from, let to)) = work.ending {
      journal.tellChange(from: from, to: to)
    }
    journal.end()
  }

  // MARK: - One operation

  mutating func planned(_ plan: Plan, from: Release?, to: Release) {
    self.plan = plan
    total = plan.download
    journal.emit("plan") { json in
      if let from { json.add("from", from.json) }
      json.add("to", to.json)
      plan.write(to: &json)
    }
    if plan.fetched > 0 {
      style.say(
        "\(to.text): \(plan.patched) by patch, \(plan.full) in full, \(plan.kept) unchanged; "
          + "\(ByteCount(plan.download).text) to download")
    }
  }

  mutating func waits(_ name: ComponentName) { tell(name, "waiting") }

  mutating func began(_ payload: Payload, _ name: ComponentName, size: UInt64, left: UInt64, waiting: Int) {
    if let current {
      if current.name == name {
        // It comes in another way than was planned.
        total = total - min(total, current.left) + left
      } else {
        before += current.left
      }
    }
    current = (name, payload, left, waiting)
    advanced = 0
    tell(name, Activity.downloading.word) { json in
      json.add("payload", payload.kind)
      json.add("way", payload.method)
      json.add("download", payload.download)
      json.add("waiting", waiting)
    }
    isDownloading = true
    showActive()
    if style == .lines(verbose: true) {
      style.say("\(name.path): \(payload.method), \(ByteCount(payload.download).text)")
    }
    draw(0)
  }

  mutating func received(_ count: UInt64) { draw(count) }

  mutating func advanced(by size: UInt64) { advanced += size }

  mutating func staged(_ name: ComponentName, size: UInt64) {
    isDownloading = false
    tell(name, "staged") { json in json.add("size", size) }
    if case .lines = style, let current {
      style.say(
        "\(name.path)  \(current.payload.method)  \(ByteCount(current.payload.download).text)  "
          + "\(current.waiting) waiting")
    }
  }

  mutating func indexing(_ name: ComponentName) {
    beingIndexed = name
    tell(name, Activity.indexing.word)
    showActive()
    if style == .lines(verbose: true) { style.say("\(name.path): indexing") }
  }

  mutating func indexed(_ name: ComponentName, size: UInt64) {
    beingIndexed = nil
    tell(name, "indexed") { json in json.add("indexSize", size) }
    showActive()
    if style == .lines(verbose: true) { style.say("\(name.path): indexed, \(ByteCount(size).text)") }
  }

  /// What is downloaded, and beside it what is indexed.
  private func showActive() {
    var components: [ActiveOperation.Component] = []
    if isDownloading, let name = current?.name {
      components.append(.init(id: name.id, dataGroup: name.dataGroup, activity: .downloading))
    }
    if let name = beingIndexed {
      components.append(.init(id: name.id, dataGroup: name.dataGroup, activity: .indexing))
    }
    journal.show(components, waiting: current?.waiting ?? 0)
  }

  mutating func applies() {
    journal.show([], waiting: 0)
    journal.emit(Activity.applying.word) { _ in }
  }

  mutating func applied(_ name: ComponentName, isInstalled: Bool) {
    tell(name, isInstalled ? "installed" : "removed")
  }

  private func tell(_ name: ComponentName, _ state: String, _ fill: (inout JSON) -> Void = { _ in }) {
    journal.emit("component") { json in
      json.add("id", name.id)
      json.add("group", name.dataGroup)
      json.add("state", state)
      fill(&json)
    }
  }

  mutating func announced(_ release: AnnouncedRelease) {
    journal.emit("application-too-old") { json in
      json.add("release", release.release.json)
      json.add("minimumApplication", release.minimumApplication)
    }
  }

  mutating func noticed(_ notice: Notice) {
    if case .startedAgain = notice { advanced = 0 }
    Log.add(.warning, notice.sentence, isSaid: true)
    journal.emit("notice") { json in
      if let name = notice.name {
        json.add("id", name.id)
        json.add("group", name.dataGroup)
      }
      json.add("message", notice.sentence)
    }
    complain(notice.sentence)
  }

  mutating func lostConnection(url: String, cause: String, attempt: Int, pause milliseconds: UInt64) {
    failedAttempts += 1
    lastFailure = "\(url): \(cause)"
    let pause = milliseconds < 1000 ? "\(milliseconds) ms" : "\((milliseconds + 999) / 1000) s"
    let next = "attempt \(attempt + 1) follows in \(pause)"
    Log.add(.warning, "\(url): \(cause); attempt \(attempt) failed, \(next)", isSaid: true)
    journal.emit("connection-lost") { json in
      json.add("url", url)
      json.add("cause", cause)
      json.add("attempt", attempt)
      json.add("pause", milliseconds)
    }
    complain("\(url): \(cause); attempt \(attempt + 1) in \(pause)")
  }

  mutating func foundConnection() {
    Log.add(.info, "the connection is back", isSaid: true)
    journal.emit("connection-found") { _ in }
    if style != .json { complain("the connection is back") }
  }

  // MARK: - What a person sees

  /// Wipes the bar away, so that the closing words stand alone.
  func finish() {
    if style == .bar && current != nil { ProgressBar.erase(from: .error) }
  }

  private func complain(_ sentence: String) {
    switch style {
    case .bar:
      ProgressBar.erase(from: .error)
      Terminal.writeLine(sentence, to: .error)
    case .lines, .quiet: Terminal.writeLine("tinyupdater: \(sentence)", to: .error)
    case .json: break
    }
  }

  private mutating func draw(_ count: UInt64) {
    guard let current else { return }
    // What was there before this run is no progress of it.
    let there = current.payload.download - min(current.left, current.payload.download)
    let done = before + (advanced + count - min(there, advanced + count))
    journal.progress(done, of: total)
    guard style == .bar else { return }
    let note = "\(current.name.id) \(current.name.dataGroup), \(current.waiting) waiting".printable()
    let columns = Terminal.columns(.error)
    let mark = TextStyle().cut
    if let line = bar.line(done: done, total: total, note: note, columns: columns, mark: mark) {
      ProgressBar.draw(line, to: .error)
    }
  }
}

extension Work {
  /// What the closing `operation` event says.
  fileprivate func write(to json: inout JSON) {
    switch ending {
    case .done(let outcome):
      json.add("state", "done")
      operation.request.write(to: &json)
      json.add("result", ExitStatus.success.name)
      json.add("exit", ExitStatus.success.rawValue)
      json.add("changed", outcome.isChange)
    case .failed(let error):
      json.add("state", error.keepsInQueue ? "waiting" : "failed")
      operation.request.write(to: &json)
      json.add("result", ExitStatus(error).name)
      json.add("exit", ExitStatus(error).rawValue)
      json.add("message", error.sentence)
    case .steppedAside(let other):
      json.add("state", "waiting")
      operation.request.write(to: &json)
      json.add("for", other)
    case .narrowed:
      json.add("state", "waiting")
      operation.request.write(to: &json)
    }
  }
}

extension Outcome {
  fileprivate var isChange: Bool {
    switch self {
    case .changed: true
    case .nothingToDo: false
    }
  }
}

extension Release {
  var json: JSON {
    var json = JSON()
    json.add("number", number)
    json.add("label", label)
    return json
  }
}

extension Payload {
  /// What `payload` says in events: a chain is patches, too.
  var kind: String {
    switch self {
    case .chain: "patch"
    case .staged, .patch, .packed, .whole: method
    }
  }
}

extension Plan {
  func write(to json: inout JSON) {
    json.add("kept", kept)
    json.add("patched", patched)
    json.add("chained", chained)
    json.add("full", full)
    json.add("removed", removed)
    json.add("download", download)
    json.add("patchDownload", patchDownload)
    json.add("fullDownload", fullDownload)
    json.add("downloadWithoutPatches", downloadWithoutPatches)
    json.add("newSize", newSize)
    json.add("installedSize", installedSize)
    json.add("indexSize", indexSize)
    json.add("peakDisk", peakDisk)
    json.add("peakFiles", peakFiles)
    json.add("peakIncludesIndex", includesIndexes)
    json.add("memory", memory)
  }
}
