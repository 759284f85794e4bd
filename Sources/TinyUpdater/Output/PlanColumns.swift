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
          json.add("group", component.group)
          json.add("payload", component.payload.kind)
          component.options.write(component.payload, to: &json)
          return json
        })
      json.add("download", row.patchDownload.saturatingSum(row.fullDownload))
      json.add("patchDownload", row.patchDownload)
      json.add("fullDownload", row.fullDownload)
      json.add("size", row.size)
      json.add("memory", row.memory)
    }
    if !hasTitles {
      line("package", numbers: ["by patch", "in full", "on disk", "memory"], payloads: "payloads")
    }
    hasTitles = true
    let numbers = [row.patchDownload, row.fullDownload, row.size, row.memory].map {
      $0 == 0 ? "-" : ByteCount($0).text
    }
    let payloads = row.components.map { "\($0.group): \($0.options.text($0.payload))" }
    line(row.id.text, numbers: numbers, payloads: payloads.joined(by: ", "))
  }

  private func line(_ id: String, numbers: [String], payloads: String) {
    var text = id.filled(to: 36)
    for number in numbers { text += " " + number.padded(to: 9) }
    text += "  " + payloads
    console.say(terminal.columns.map { text.fitted(to: max(20, $0 - 1), mark: terminal.cut).trimmed } ?? text)
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
  fileprivate func text(_ payload: Payload) -> String {
    var others: [String] = []
    if let patch, payload.method != "patch" { others.append("patch \(ByteCount(patch.size).text)") }
    if !chain.isEmpty && payload.method != "chain" {
      others.append("chain \(ByteCount(chain.download).text)")
    }
    if payload.method != "full" { others.append("full \(ByteCount(full.download).text)") }
    return payload == .staged || others.isEmpty
      ? payload.method : "\(payload.method) (\(others.joined(by: ", ")))"
  }
}
