import MapLoader

/// The model as lines of text.
struct Screen {
  let columns: Int
  let lines: Int

  /// One line, and whether it is the selected one.
  struct Line: Equatable {
    let text: String
    var isSelected = false
  }

  func lines(of model: Model) -> [Line] {
    let room = max(1, lines - 3)
    var body: [Line]
    switch model.page {
    case .maps, .question:
      body = window(model.rows.map { text($0, of: model) }, selected: model.selected, room)
    case .groups: body = window(model.groups.map(text), selected: model.selected, room)
    case .help: body = Screen.help.prefix(room).map { Line(text: $0.cut(to: columns)) }
    }
    if body.isEmpty { body = [Line(text: "There are no maps yet.".cut(to: columns))] }
    body += Array(repeating: Line(text: ""), count: room - body.count)
    return [Line(text: title(model))] + body + [Line(text: work(model)), Line(text: last(model))]
  }

  // MARK: - Lines

  private func title(_ model: Model) -> String {
    let installed = model.status?.release?.label ?? "no maps"
    guard let newest = model.status?.newest, newest.number > (model.status?.release?.number ?? 0) else {
      return "Maps: \(installed)".cut(to: columns)
    }
    let size = model.tree?.roots.reduce(0) { $0 + $1.updateSize } ?? 0
    return columned("Maps: \(installed)", "u: update to \(newest.label), \(bytes(size))")
  }

  private func text(_ row: Model.Row, of model: Model) -> String {
    let (node, indent) = (row.node, String(repeating: "  ", count: row.depth))
    let sign = node.children.isEmpty ? " " : model.closed.contains(node.id) ? "+" : "-"
    let name = node.name.isEmpty ? String(node.id.split(separator: "/").last ?? "") : node.name
    return columned("\(indent)\(sign) \(name)", Screen.state(of: node, in: model))
  }

  /// What a person wants to know of a node, in words.
  static func state(of node: MapNode, in model: Model) -> String {
    switch model.activity(of: node) {
    case .waiting: return "Waiting…"
    case .downloading:
      guard let progress = model.progress, progress.total > 0 else { return "Downloading…" }
      return "Downloading \(progress.done * 100 / progress.total) %"
    case .indexing: return "Indexing…"
    case .applying: return "Applying…"
    case nil: break
    }
    if node.isUpdateAvailable { return "Update \(bytes(node.updateSize))" }
    switch node.state {
    case .installed where node.isFromArea: return "Around you, \(bytes(node.installedSize))"
    case .installed: return "Installed, \(bytes(node.installedSize))"
    case .partiallyInstalled: return "\(bytes(node.installedSize)) of \(bytes(node.size))"
    case .notInstalled: return bytes(node.downloadSize)
    case .inconsistent: return "Damaged"
    }
  }

  private func text(_ group: DataGroup) -> String {
    columned("[\(group.isSelected ? "x" : " ")] \(group.name)", bytes(group.size))
  }

  /// How far the download is that goes on.
  private func work(_ model: Model) -> String {
    guard let progress = model.progress else { return "" }
    return progress.total == 0 ? "Working…" : bar(progress)
  }

  private func bar(_ progress: MapProgress) -> String {
    let percent = Int(progress.done * 100 / progress.total)
    let text = " \(percent) % of \(bytes(progress.total))"
    let width = max(0, min(40, columns - text.columns - 2))
    let filled = width * percent / 100
    return "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: width - filled))]\(text)"
      .cut(
        to: columns)
  }

  private func last(_ model: Model) -> String {
    if case .question(let question) = model.page { return Screen.sentence(question, model).cut(to: columns) }
    if !model.message.isEmpty { return model.message.cut(to: columns) }
    switch model.page {
    case .groups: return "space: choose  Esc: back  ?: keys".cut(to: columns)
    default: return "i: install  d: delete  u: update  c: cancel  ?: keys  q: quit".cut(to: columns)
    }
  }

  static func sentence(_ question: Model.Question, _ model: Model) -> String {
    switch question {
    case .install(let id):
      let node = model.tree?[id]
      return "Install \(id)? \(bytes(node?.downloadSize ?? 0)) to download. y/n"
    case .uninstall(let id):
      return "Delete \(id)? \(bytes(model.tree?[id]?.installedSize ?? 0)) become free. y/n"
    case .update: return "\(model.message) y/n"
    }
  }

  private static let help = [
    "Arrows, Page Up and Down   move", "Enter     open or close a region", "i         install",
    "d         delete", "u         update all maps", "c         cancel what goes on with it",
    "r         look for an update", "g         choose data groups",
    "v         with and without details", "q         leave; what goes on continues",
  ]

  // MARK: - Columns

  /// The part of the lines around the selected one that fits.
  private func window(_ texts: [String], selected: Int, _ room: Int) -> [Line] {
    let first = max(0, min(selected - room / 2, texts.count - room))
    return texts.indices.dropFirst(first).prefix(room).map {
      Line(text: texts[$0], isSelected: $0 == selected)
    }
  }

  /// A text, and another one at the right edge, which is kept whole.
  private func columned(_ left: String, _ right: String) -> String {
    let right = right.cut(to: columns / 2)
    let room = columns - right.columns - 1
    let left = left.cut(to: room)
    return left + String(repeating: " ", count: room - left.columns + 1) + right
  }
}

extension Unicode.Scalar {
  /// How many columns a terminal gives it.
  fileprivate var columns: Int {
    switch value {
    case 0x300...0x36f, 0x200b...0x200f, 0xfe00...0xfe0f: 0
    case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60,
      0x1f300...0x1faff, 0x20000...0x3fffd:
      2
    default: 1
    }
  }
}

extension String {
  var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

  /// At most that many columns of it; what would move the cursor is replaced.
  func cut(to columns: Int) -> String {
    let clean = String(
      String.UnicodeScalarView(unicodeScalars.map { $0.value < 32 || 127...159 ~= $0.value ? "?" : $0 }))
    guard clean.columns > columns else { return clean }
    var (kept, used) = ("", 0)
    for scalar in clean.unicodeScalars where used + scalar.columns < columns {
      kept.unicodeScalars.append(scalar)
      used += scalar.columns
    }
    return columns > 0 ? kept + "…" : ""
  }
}
