import MapLoader

/// What the program knows and shows; it changes by events alone.
struct Model {
  private(set) var tree: MapTree?
  private(set) var status: MapStatus?
  private(set) var groups: [DataGroup] = []
  private(set) var progress: MapProgress?
  /// What goes on with packages, by their ids.
  private(set) var activities: [String: MapNode.Activity] = [:]
  var view = MapTree.View.composite
  /// Regions whose nodes are not shown.
  private(set) var closed: Set<String> = []
  private(set) var selected = 0
  var page = Page.maps
  /// What has happened last, or what is asked.
  var message = ""

  /// What fills the screen.
  enum Page: Equatable {
    case maps, groups, help
    /// A question about what a key has begun.
    case question(Question)
  }

  /// What is asked before it is done.
  enum Question: Equatable {
    case install(MapNode.ID), uninstall(MapNode.ID), update
  }

  /// A node as it is shown, and how deep in the tree.
  struct Row {
    let node: MapNode
    let depth: Int
  }

  /// The nodes that are shown: those in closed regions are not.
  var rows: [Row] {
    var rows: [Row] = []
    func add(_ nodes: [MapNode], depth: Int) {
      for node in nodes {
        rows.append(Row(node: node, depth: depth))
        if !closed.contains(node.id) { add(node.children, depth: depth + 1) }
      }
    }
    add(tree?.roots ?? [], depth: 0)
    return rows
  }

  var selectedNode: MapNode? { rows.indices.contains(selected) ? rows[selected].node : nil }

  var selectedGroup: DataGroup? { groups.indices.contains(selected) ? groups[selected] : nil }

  /// What goes on with a node: with a region what goes on with the first package in it.
  func activity(of node: MapNode) -> MapNode.Activity? {
    if let activity = activities[node.id] { return activity }
    let below = activities.filter { $0.key.hasPrefix("\(node.id)/") }.map { $0.value }
    return [.applying, .indexing, .downloading, .waiting].first { below.contains($0) } ?? node.activity
  }

  // MARK: - What happens

  mutating func move(by step: Int) {
    let count = page == .groups ? groups.count : rows.count
    selected = max(0, min(count - 1, selected + step))
  }

  mutating func toggle(_ node: MapNode) {
    if !node.children.isEmpty, closed.remove(node.id) == nil { closed.insert(node.id) }
  }

  mutating func show(_ tree: MapTree, _ status: MapStatus) {
    let id = selectedNode?.id
    (self.tree, self.status) = (tree, status)
    selected = rows.firstIndex { $0.node.id == id } ?? 0
  }

  mutating func show(_ groups: [DataGroup]) {
    self.groups = groups
    selected = min(selected, max(0, groups.count - 1))
  }

  mutating func select(_ position: Int) { selected = position }

  /// Takes a change in; returns whether the tree has to be asked for again.
  mutating func take(_ change: MapChange) -> Bool {
    switch change {
    case .state(let state):
      status = state.status
      if state.operations.isEmpty { (activities, progress) = ([:], nil) }
      return true
    case .component(let component):
      let state = component.state
      activities[component.id] =
        state == "staged" ? .waiting : MapNode.Activity(rawValue: state)
      return false
    case .progress(let progress):
      self.progress = progress
      return false
    case .applying:
      for id in activities.keys { activities[id] = .applying }
      return false
    case .operation(let operation):
      guard [.done, .failed, .cancelled].contains(operation.state) else { return operation.state == .queued }
      (activities, progress) = ([:], nil)
      // Who has asked for it knows more.
      if let error = operation.error, message.isEmpty { message = error.sentence }
      return true
    case .connectionLost(let cause, _): message = "No connection: \(cause)"
    case .connectionFound: message = ""
    case .changed(let from, let to): message = Model.sentence(from, to)
    case .notice(let text): message = text
    case .plan, .maps, .other: break
    }
    return false
  }

  private static func sentence(_ from: MapRelease?, _ to: MapRelease?) -> String {
    guard let from, let to, from != to else { return "Done." }
    return "All maps are now \(to.label); they were \(from.label)."
  }
}

extension MapError {
  /// For people: what happened, and what is missing.
  var sentence: String {
    guard result == .outOfSpace, let needed, let available else { return message }
    return "Not enough space: \(bytes(needed)) are needed, and \(bytes(available)) are free."
  }
}

/// A size for people, such as "12.3 MB".
func bytes(_ count: UInt64) -> String {
  if count < 1000 { return "\(count) B" }
  var (tenths, unit) = (count / 100, 0)
  while tenths >= 10_000 && unit < 3 { (tenths, unit) = (tenths / 1000, unit + 1) }
  let number = tenths < 1000 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)"
  return "\(number) \(["kB", "MB", "GB", "TB"][unit])"
}
