internal import Catalog
internal import Platform
internal import Store
internal import Updater

/// A package in the making of a plan: the sum of its components, which come one after the other.
struct PackagePlan {
  private var row: Row?

  /// What a plan says of one package.
  struct Row {
    let id: String
    var payloads: [(group: String, word: String)] = []
    /// Bytes on the wire.
    var patchDownload: UInt64 = 0
    var fullDownload: UInt64 = 0
    /// Bytes of the new files.
    var size: UInt64 = 0
    var memory: UInt64 = 0
  }

  /// Adds a component; the package before it, when this one begins the next.
  mutating func add(_ entry: CatalogEntry, _ payload: Payload) -> Row? {
    let finished = row?.id == entry.name.id ? nil : finish()
    var row = row ?? Row(id: entry.name.id)
    row.payloads.append((entry.name.dataGroup, payload.word))
    if case .patch = payload {
      row.patchDownload += payload.download
    } else {
      row.fullDownload += payload.download
    }
    row.size += entry.size
    row.memory = max(row.memory, payload.container?.memory ?? 0)
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
        row.payloads.map { payload in
          var json = JSON()
          json.add("group", payload.group)
          json.add("payload", payload.word)
          return json
        })
      json.add("download", row.patchDownload + row.fullDownload)
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
    line(row.id, numbers, row.payloads.map { "\($0.group): \($0.word)" }.joined(by: ", "))
  }

  private func line(_ id: String, _ numbers: [String], _ payloads: String) {
    var text = id.filled(to: 36)
    for number in numbers { text += " " + number.padded(to: 9) }
    text += "  " + payloads
    style.say(terminal.columns.map { text.fitted(to: max(20, $0 - 1), mark: terminal.cut).trimmed } ?? text)
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
