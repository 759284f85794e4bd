internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Store
internal import Updater

/// A package in the making of a plan: the sum of its components, which come one after the other.
struct PackagePlan {
  private var row: Row?

  /// What a plan says of one package.
  struct Row {
    let id: String
    var components: [(group: String, payload: Payload, ways: PayloadOptions)] = []
    /// Bytes on the wire.
    var patchDownload: UInt64 = 0
    var fullDownload: UInt64 = 0
    /// Bytes of the new files.
    var size: UInt64 = 0
    var memory: UInt64 = 0
  }

  /// Adds a component; the package before it, when this one begins the next.
  mutating func add(_ entry: CatalogEntry, _ payload: Payload, _ ways: PayloadOptions) -> Row? {
    let isSame = row.map { $0.id.utf8.elementsEqual(entry.name.id.utf8) } ?? false
    let finished = isSame ? nil : finish()
    var row = row ?? Row(id: entry.name.id)
    row.components.append((entry.name.dataGroup, payload, ways))
    switch payload {
    case .patch, .chain: row.patchDownload = row.patchDownload.saturatingSum(payload.download)
    case .staged, .packed, .whole:
      row.fullDownload = row.fullDownload.saturatingSum(payload.download)
    }
    row.size = row.size.saturatingSum(entry.size)
    row.memory = max(row.memory, payload.memory)
    self.row = row
    return finished
  }

  mutating func finish() -> Row? {
    defer { row = nil }
    return row
  }
}

/// Writes the packages of a plan, one line each, as they come.
struct PlanColumns {
  private let style: OutputStyle
  private let terminal = TextStyle()
  private var hasTitles = false

  init(_ style: OutputStyle) { self.style = style }

  mutating func write(_ row: PackagePlan.Row) {
    style.emit("package") { json in
      json.add("id", row.id)
      json.add(
        "payloads",
        row.components.map { component in
          var json = JSON()
          json.add("group", component.group)
          json.add("payload", component.payload.kind)
          component.ways.write(component.payload, to: &json)
          return json
        })
      json.add("download", row.patchDownload.saturatingSum(row.fullDownload))
      json.add("patchDownload", row.patchDownload)
      json.add("fullDownload", row.fullDownload)
      json.add("size", row.size)
      json.add("memory", row.memory)
    }
    if !hasTitles { line("package", ["by patch", "in full", "on disk", "memory"], "payloads") }
    hasTitles = true
    let numbers = [row.patchDownload, row.fullDownload, row.size, row.memory].map {
      $0 == 0 ? "-" : ByteCount($0).text
    }
    line(row.id, numbers, row.components.map { "\($0.group): \($0.ways.text($0.payload))" }.joined(by: ", "))
  }

  private func line(_ id: String, _ numbers: [String], _ payloads: String) {
    var text = id.filled(to: 36)
    for number in numbers { text += " " + number.padded(to: 9) }
    text += "  " + payloads
    style.say(terminal.columns.map { text.fitted(to: max(20, $0 - 1), mark: terminal.cut).trimmed } ?? text)
  }
}

extension PayloadOptions {
  /// The way that is taken, and what each of them takes on the wire; one that is absent cannot be taken.
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

  /// The same in short, such as "patch (chain 3.1 MB, full 70 MB)".
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

extension String {
  /// With blanks behind it, for a column of text.
  func filled(to width: Int) -> String { self + blanks(width) }

  /// With blanks before it, for a column of numbers.
  func padded(to width: Int) -> String { blanks(width) + self }

  private func blanks(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) }
}

extension [String] {
  /// One text of all, with `separator` between them.
  func joined(by separator: String) -> String {
    var text = ""
    for part in self { text += (text.isEmpty ? "" : separator) + part }
    return text
  }
}
