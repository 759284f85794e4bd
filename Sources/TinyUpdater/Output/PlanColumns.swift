internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Store
internal import Updater

/// Writes the packages of a plan, one line each.
struct PlanColumns {
  private let console: Console
  private let terminal = TextStyle()
  private var hasTitles = false

  init(_ console: Console) { self.console = console }

  mutating func write(_ row: PackagePlan.Row) {
    console.emit("package") { json in
      json.add("id", row.id)
      json.add(
        "payloads",
        row.components.map { component in
          var json = JSON()
          json.add("group", component.name.dataGroup)
          json.add("path", component.name.path)
          json.add("payload", component.payload.kind)
          component.options.write(component.payload, to: &json)
          if let base = component.otherBase { json.add("base", base.path) }
          return json
        })
      json.add("download", row.patchDownload.saturatingSum(row.fullDownload))
      json.add("patchDownload", row.patchDownload)
      json.add("fullDownload", row.fullDownload)
      json.add("size", row.size)
      json.add("memory", row.memory)
    }
    let figures = figures(row)
    if !hasTitles { line("package", numbers: figures.map { $0.title }, payloads: "payloads") }
    hasTitles = true
    let numbers = figures.map { $0.bytes == 0 ? "-" : ByteCount($0.bytes).text }
    let payloads = row.components.map {
      "\($0.name.dataGroup): \($0.options.text($0.payload, from: $0.otherBase))"
    }
    line(row.id.text, numbers: numbers, payloads: payloads.joined(by: ", "))
  }

  /// Those that are shown: on a narrow terminal fewer, and the ids keep 20 columns or nearly.
  ///
  /// A longer one has a line of its own.
  private func figures(_ row: PackagePlan.Row) -> [(title: String, bytes: UInt64)] {
    if let columns = terminal.columns, columns <= 60 {
      return [("download", row.patchDownload.saturatingSum(row.fullDownload)), ("on disk", row.size)]
    }
    return [
      ("by patch", row.patchDownload), ("in full", row.fullDownload), ("on disk", row.size),
      ("memory", row.memory),
    ]
  }

  /// The payloads get what the other columns leave of a terminal's width.
  private func line(_ id: String, numbers: [String], payloads: String) {
    let figures = numbers.map { " " + $0.padded(to: 9) }.joined(by: "")
    guard let columns = terminal.columns else {
      return console.say("\(id.filled(to: 36))\(figures)  \(payloads)")
    }
    let room = columns - 1 - figures.columns
    let front = id.idColumn(of: min(max(36, id.columns), room), in: columns, mark: terminal.cut)
    let rest = room - front.width - 2
    let line = front.text + figures
    console.say(rest > 0 ? "\(line)  \(payloads.fitted(to: rest, mark: terminal.cut).trimmed)" : line)
  }
}

extension PayloadOptions {
  /// The chosen payload, and the download of each possible one.
  fileprivate func write(_ payload: Payload, to json: inout JSON) {
    json.add("way", payload.method)
    json.add("download", payload.download)
    if case .chain(let patches, _) = payload { json.add("patches", patches.count) }
    var bytes = JSON()
    if let patch { bytes.add("patch", patch.size) }
    if !chain.isEmpty { bytes.add("chain", chain.download) }
    bytes.add("full", full.download)
    json.add("ways", bytes)
  }

  /// The same in short: "patch (chain 3.1 MB, full 70 MB)".
  ///
  /// - `base`: what it is made from, if that has another name.
  fileprivate func text(_ payload: Payload, from base: ComponentName?) -> String {
    let method = payload.method + (base.map { " from \($0.path)" } ?? "")
    var others: [String] = []
    if let patch, payload.method != "patch" { others.append("patch \(ByteCount(patch.size).text)") }
    if !chain.isEmpty && payload.method != "chain" {
      others.append("chain \(ByteCount(chain.download).text)")
    }
    if payload.method != "full" { others.append("full \(ByteCount(full.download).text)") }
    return payload == .staged || others.isEmpty ? method : "\(method) (\(others.joined(by: ", ")))"
  }
}
