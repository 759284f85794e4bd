internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Store
internal import Updater

/// Writes the nodes of a listing one by one: as events, a table of packages, or a tree.
struct ListView {
  private let console: Console
  private let view: ListingQuery.View
  private let text = TextStyle()
  private var hasTitles = false
  private var lines = LineBuffer()

  init(_ console: Console, view: ListingQuery.View) {
    self.console = console
    self.view = view
  }

  mutating func write(_ node: ListNode) {
    switch console {
    case .json:
      var json = JSON()
      json.add("event", node.kind == .package ? "package" : "region")
      node.write(to: &json)
      lines.add(json.text)
    case .bar, .lines:
      if !hasTitles, let titles { lines.add(titles) }
      hasTitles = true
      lines.add(view == .packages ? row(node) : branch(node))
    case .quiet: break
    }
  }

  /// Writes the remaining lines.
  mutating func finish() { lines.flush() }

  /// Tables of packages have titles on terminals only: others get nothing but one line for each package.
  private var titles: String? {
    guard view == .packages else { return titlesOfTree }
    guard text.columns != nil else { return nil }
    return row(
      "package", state: { $0 > 1 ? "state".fitted(to: $0) : " " }, numbers: "  on disk  download",
      name: "name")
  }

  // MARK: - The table of packages

  private func row(_ node: ListNode) -> String {
    let since = node.arrival.map { ", since \(Clock.date($0.since))" } ?? ""
    let name = "\(node.name) (\(node.groups.map { $0.text }.joined(by: ", ")))\(since)".printable(
      isUnicode: text.isUnicode)
    let id = node.id.text.printable(isUnicode: text.isUnicode)
    return row(
      id, state: { state(node, width: $0) },
      numbers: "\(size(node.sums.installedSize)) \(size(download(of: node)))", name: name)
  }

  /// The id and the figures are always there; a narrow terminal shows the state as a sign, and names if there is room.
  ///
  /// An id that has no room beside the figures has a line of its own.
  private func row(_ id: String, state: (_ width: Int) -> String, numbers: String, name: String) -> String {
    guard let columns = text.columns else {
      return "\(id.fitted(to: max(36, id.columns))) \(state(14))\(numbers)  \(name)"
    }
    let isWide = columns >= 80
    let room = columns - 2 - (isWide ? 14 : 2) - numbers.columns
    // Two blanks and at least as much of the name.
    let reserved = isWide ? 2 : room < 36 ? 0 : 16
    let front = id.idColumn(
      of: max(min(36, room - reserved), min(id.columns, room)), in: columns, mark: text.cut)
    let rest = room - front.width - 2
    let line = "\(front.text) \(state(isWide ? 14 : 1))\(isWide ? "" : " ")\(numbers)"
    return rest > 0 ? "\(line)  \(name.fitted(to: rest, mark: text.cut).trimmed)" : line
  }

  // MARK: - The tree

  /// The width of the tree in columns, and whether there is room for words beside it.
  private var layout: (width: Int, isWide: Bool) {
    let columns = text.columns ?? 100
    return columns >= 64 ? (columns - 37, true) : (max(8, columns - 24), false)
  }

  private var titlesOfTree: String {
    let (width, isWide) = layout
    let title = "maps".fitted(to: width)
    return
      isWide
      ? "\(title) \("state".fitted(to: 14))  on disk   download" : "\(title)     on disk   download"
  }

  private func branch(_ node: ListNode) -> String {
    let (width, isWide) = layout
    let label = (lines(node.trail) + self.label(node)).fitted(to: width, mark: text.cut)
    let numbers = "\(size(node.sums.installedSize)) \(size(download(of: node)).padded(to: 10))"
    return "\(label) \(state(node, width: isWide ? 14 : 1))\(isWide ? "" : " ")\(numbers)"
  }

  /// The branches in front of a node.
  private func lines(_ trail: [Bool]) -> String {
    guard trail.count > 1 else { return "" }
    var lines = ""
    for isLast in trail[1..<trail.count - 1] { lines += isLast ? "   " : text.isUnicode ? "│  " : "|  " }
    let isLast = trail[trail.count - 1]
    if text.isUnicode { return lines + (isLast ? "└─ " : "├─ ") }
    return lines + (isLast ? "`- " : "|- ")
  }

  /// The name and the last part of the id; for a region, also the number of its children.
  private func label(_ node: ListNode) -> String {
    let part = node.trail.count > 1 ? node.id.lastPart : node.id.text
    var label = node.name.isEmpty ? part : "\(node.name) (\(part))"
    if node.kind == .region {
      let unlisted = node.sums.unlisted
      if unlisted == 0 || node.children > 0 { label += ", \(node.children)" }
      if unlisted > 0 { label += ", \(unlisted) not listed" }
    }
    return label.printable(isUnicode: text.isUnicode)
  }

  // MARK: - Columns

  /// Bytes of an update of what is installed, or of installing it.
  private func download(of node: ListNode) -> UInt64 {
    node.sums.touched > 0 ? node.sums.updateDownload : node.sums.download
  }

  private func size(_ bytes: UInt64) -> String { (bytes == 0 ? "-" : ByteCount(bytes).text).padded(to: 9) }

  /// The state, or the current activity, as a word or as one character.
  private func state(_ node: ListNode, width: Int) -> String {
    let (word, sign, colour) = describe(node)
    return text.paint((width > 1 ? word : sign).fitted(to: width, mark: text.cut), in: colour)
  }

  private func describe(_ node: ListNode) -> (word: String, sign: String, colour: TextStyle.Colour?) {
    let sums = node.sums
    switch sums.activity {
    case .waiting where node.refusal == nil: return (text.isUnicode ? "Waiting…" : "Waiting...", "w", .yellow)
    case .some(let activity) where activity != .waiting: return (activity.word, ">", .yellow)
    case .some, .none: break
    }
    if node.refusal != nil { return ("refused", "x", .red) }
    switch sums.state {
    case .inconsistent: return ("inconsistent", "!", .red)
    case .notInstalled: return ("-", "-", nil)
    case .installed where sums.updates > 0: return ("update", "u", .yellow)
    case .installed where node.arrival != nil: return ("by area", "a", .green)
    case .installed: return ("installed", "+", .green)
    case .partiallyInstalled where sums.updates > 0: return ("partly, update", "u", .yellow)
    case .partiallyInstalled: return ("partly", "~", .green)
    }
  }
}

extension ListNode {
  /// The members of an event (`docs/events.md`).
  func write(to json: inout JSON) {
    json.add("id", id)
    if let parent = id.parent { json.add("parent", parent) }
    json.add("name", name)
    json.add("children", children)
    json.add("state", sums.state.word)
    if let activity = sums.activity { json.add("activity", activity.word) }
    json.add("size", sums.size)
    json.add("installedSize", sums.installedSize)
    json.add("download", sums.download)
    json.add("updateAvailable", sums.updates > 0)
    json.add("updateDownload", sums.updateDownload)
    json.add("indexSize", sums.indexSize)
    json.add("actions", actions.map { $0.word })
    switch kind {
    case .package:
      json.add("groups", groups)
      if !files.isEmpty { json.add("files", files) }
      if let bounds { json.add("bounds", numbers: bounds.degrees.map { $0.text }) }
      if isDetail { json.add("detail", true) }
      if let arrival { json.add("area", arrival.json) }
      if let refusal { json.add("refused", refusal.json) }
      if let release { json.add("release", release.json) }
    case .region:
      json.add("packages", sums.packages)
      if sums.unlisted > 0 { json.add("unlisted", sums.unlisted) }
    }
  }
}

extension AreaRecord.Arrival {
  fileprivate var json: JSON {
    var json = JSON()
    json.add("since", Clock.timestamp(since))
    json.add("needed", Clock.timestamp(needed))
    return json
  }
}
