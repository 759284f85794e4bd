internal import Platform
internal import Store
internal import Updater

/// What `history` says: each run with what its plan said beside what happened.
struct HistoryView {
  private let configuration: Configuration
  private let style: OutputStyle

  init(_ configuration: Configuration, _ style: OutputStyle) {
    self.configuration = configuration
    self.style = style
  }

  /// Writes the last `count` entries, or all of them, the newest last.
  func write(last count: Int?) throws(UpdateError) -> ExitStatus {
    let entries = try entries(last: count)
    for entry in entries {
      style.emit("history") { json in entry.write(to: &json) }
    }
    if entries.isEmpty { style.say("nothing has happened yet") } else { style.say(text(entries)) }
    style.emitResult(.success)
    return .success
  }

  /// The file has a bound, and so have the entries in memory.
  private func entries(last count: Int?) throws(UpdateError) -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    do throws(StoreError) {
      try Store(opening: configuration.root, for: .read).forEachHistoryEntry { entries.append($0) }
    } catch {
      guard case .missing = error else { throw .store(error) }
    }
    if let count { return Array(entries.suffix(count)) }
    return entries
  }

  /// A table; figures of the plan stand behind a slash.
  private func text(_ entries: [HistoryEntry]) -> String {
    var table = Table([
      ("time", .left), ("command", .left), ("result", .left), ("release", .right), ("download/plan", .right),
      ("index/plan", .right), ("disk/plan", .right), ("took", .right), ("failed attempts", .left),
    ])
    for entry in entries {
      let release = entry.to == 0 ? "-" : entry.from == 0 ? "\(entry.to)" : "\(entry.from) to \(entry.to)"
      let failed = entry.failedAttempts == 0 ? "" : "\(entry.failedAttempts), the last: \(entry.failure)"
      table.add([
        Clock.timestamp(entry.time), entry.command, entry.result, release,
        pair(entry.happened.download, entry.planned.download),
        pair(entry.happened.index, entry.planned.index),
        pair(entry.happened.peakDisk, entry.planned.peakDisk), "\(entry.milliseconds) ms", failed,
      ])
    }
    return String(decoding: Array(table.text.utf8.dropLast()), as: UTF8.self)
  }

  private func pair(_ happened: UInt64, _ planned: UInt64) -> String {
    happened == 0 && planned == 0 ? "-" : "\(ByteCount(happened).text)/\(ByteCount(planned).text)"
  }
}

extension HistoryEntry {
  var json: JSON {
    var json = JSON()
    write(to: &json)
    return json
  }

  func write(to json: inout JSON) {
    json.add("time", Clock.timestamp(time))
    json.add("command", command)
    json.add("result", result)
    json.add("exit", exitCode)
    json.add("from", from)
    json.add("to", to)
    json.add("downloaded", downloaded)
    json.add("peakResident", peakResident)
    json.add("milliseconds", milliseconds)
    json.add("planned", planned.json)
    json.add("happened", happened.json)
    json.add("reserve", reserve)
    json.add("failedAttempts", failedAttempts)
    if !failure.isEmpty { json.add("failure", failure) }
  }
}

extension HistoryFigures {
  fileprivate var json: JSON {
    var json = JSON()
    json.add("download", download)
    json.add("index", index)
    json.add("peakDisk", peakDisk)
    return json
  }
}
