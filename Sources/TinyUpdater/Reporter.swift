internal import Catalog
internal import Platform
internal import Updater

/// Tells what an operation does: a bar on a terminal, lines elsewhere, events as JSON.
struct Reporter: UpdateObserver {
  private let style: OutputStyle
  private var bar = ProgressBar()
  private var total: UInt64 = 0
  /// Bytes of the payloads before the current one.
  private var before: UInt64 = 0
  private var current: (name: ComponentName, payload: Payload, waiting: Int)?
  private var lastEvent: UInt64 = 0
  /// How the finished ones came, for the closing line.
  private(set) var plan: Plan?
  /// Attempts at a connection that failed and were followed by another one.
  private(set) var failedAttempts: UInt64 = 0
  /// The URL of the last of them, and its cause.
  private(set) var lastFailure = ""

  init(_ style: OutputStyle) { self.style = style }

  mutating func planned(_ plan: Plan, from: Release?, to: Release) {
    self.plan = plan
    total = plan.download
    style.emit("plan") { json in
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

  mutating func began(_ payload: Payload, _ name: ComponentName, size: UInt64, waiting: Int) {
    if let current { before += current.payload.download }
    current = (name, payload, waiting)
    style.emit("component") { json in
      json.add("id", name.id)
      json.add("group", name.dataGroup)
      json.add("state", "downloading")
      json.add("payload", payload.word)
      json.add("download", payload.download)
      json.add("waiting", waiting)
    }
    if style == .lines(verbose: true) {
      style.say("\(name.path): \(payload.word), \(ByteCount(payload.download).text)")
    }
    draw(0)
  }

  mutating func received(_ count: UInt64) { draw(count) }

  mutating func staged(_ name: ComponentName, size: UInt64) {
    style.emit("component") { json in
      json.add("id", name.id)
      json.add("group", name.dataGroup)
      json.add("state", "staged")
      json.add("size", size)
    }
    if case .lines = style, let current {
      style.say(
        "\(name.path)  \(current.payload.word)  \(ByteCount(current.payload.download).text)  "
          + "\(current.waiting) waiting")
    }
  }

  mutating func indexing(_ name: ComponentName) {
    style.emit("component") { json in
      json.add("id", name.id)
      json.add("group", name.dataGroup)
      json.add("state", "indexing")
    }
    if style == .lines(verbose: true) { style.say("\(name.path): indexing") }
  }

  mutating func indexed(_ name: ComponentName, size: UInt64) {
    style.emit("component") { json in
      json.add("id", name.id)
      json.add("group", name.dataGroup)
      json.add("state", "indexed")
      json.add("indexSize", size)
    }
    if style == .lines(verbose: true) { style.say("\(name.path): indexed, \(ByteCount(size).text)") }
  }

  mutating func noticed(_ notice: Notice) {
    Log.add(.warning, notice.sentence, isSaid: true)
    style.emit("notice") { json in
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
    let next = "attempt \(attempt + 1) follows in \((milliseconds + 999) / 1000) s"
    Log.add(.warning, "\(url): \(cause); attempt \(attempt) failed, \(next)", isSaid: true)
    style.emit("connection-lost") { json in
      json.add("url", url)
      json.add("cause", cause)
      json.add("attempt", attempt)
      json.add("pause", milliseconds)
    }
    complain("\(url): \(cause); attempt \(attempt + 1) in \((milliseconds + 999) / 1000) s")
  }

  mutating func foundConnection() {
    Log.add(.info, "the connection is back", isSaid: true)
    style.emit("connection-found") { _ in }
    if style != .json { complain("the connection is back") }
  }

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
    switch style {
    case .bar:
      let note = "\(current.name.id) \(current.name.dataGroup), \(current.waiting) waiting"
      let columns = Terminal.columns(.error)
      if let line = bar.line(done: before + count, total: total, note: note, columns: columns) {
        ProgressBar.draw(line, to: .error)
      }
    case .json:
      let now = Clock.milliseconds
      guard now - lastEvent >= 500 else { return }
      lastEvent = now
      let done = before + count
      let total = total
      style.emit("progress") { json in
        json.add("id", current.name.id)
        json.add("group", current.name.dataGroup)
        json.add("done", done)
        json.add("total", total)
        json.add("waiting", current.waiting)
      }
    case .lines, .quiet: break
    }
  }
}

extension Release {
  /// Such as "release 4 (2024-06-30)".
  var text: String { "release \(number) (\(label))" }

  var json: JSON {
    var json = JSON()
    json.add("number", number)
    json.add("label", label)
    return json
  }
}

extension Plan {
  func write(to json: inout JSON) {
    json.add("kept", kept)
    json.add("patched", patched)
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
    json.add("peakIncludesIndex", includesIndexes)
    json.add("memory", memory)
  }
}
