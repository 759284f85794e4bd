/// Regions and packages as they were when they were asked for.
public struct MapTree: Sendable {
  /// The release that is listed.
  public let release: MapRelease?
  /// A newer one that is known.
  public let newest: MapRelease?
  /// The nodes at the top.
  public let roots: [MapNode]
  /// Packages that could not be listed, because their part of the catalog is not on this device.
  public let unlisted: Int

  /// Which tree is shown.
  public enum View: Sendable {
    /// Every region and package.
    case fine
    /// Packages that are details are hidden in the region above them.
    case composite
  }

  /// The node with an id; nil if there is none.
  public subscript(id: String) -> MapNode? { MapTree.find(id, in: roots) }

  /// All nodes, parents before their children.
  public var nodes: [MapNode] { MapTree.flat(roots) }

  private static func find(_ id: String, in nodes: [MapNode]) -> MapNode? {
    for node in nodes {
      if node.id == id { return node }
      if id.hasPrefix("\(node.id)/"), let found = find(id, in: node.children) { return found }
    }
    return nil
  }

  private static func flat(_ nodes: [MapNode]) -> [MapNode] {
    nodes.flatMap { [$0] + flat($0.children) }
  }

  init(_ events: [EventContent], _ result: EventContent?) {
    release = result?.release("release")
    newest = result?.release("newest")
    unlisted = result?.count("unlisted") ?? 0
    var next = 0
    roots = MapTree.nodes(events, from: &next, count: Int.max)
  }

  /// The nodes from a position on: each is followed by what is below it.
  private static func nodes(_ events: [EventContent], from next: inout Int, count: Int) -> [MapNode] {
    var nodes: [MapNode] = []
    while next < events.count, nodes.count < count {
      var node = MapNode(events[next])
      next += 1
      node.children = self.nodes(events, from: &next, count: node.childCount)
      nodes.append(node)
    }
    return nodes
  }
}

/// A region or a package.
public struct MapNode: Sendable, Identifiable {
  /// Such as `europe/malta`: those above it are in front.
  public let id: String
  /// What it is.
  public let kind: Kind
  /// The id of the region above it; nil at the top.
  public let parent: String?
  /// In the wanted language; empty if it has none.
  public let name: String
  /// Those directly below it.
  public internal(set) var children: [MapNode] = []
  let childCount: Int
  /// How much of it is installed.
  public let state: State
  /// What is being done with it; nil if nothing is.
  public let activity: Activity?
  /// What a user can ask for.
  public let actions: Set<Action>
  /// Bytes of all of it.
  public let size: UInt64
  /// Bytes of what is installed.
  public let installedSize: UInt64
  /// Bytes to download to install it, without patches.
  public let downloadSize: UInt64
  /// The newest known release has another version of it.
  public let isUpdateAvailable: Bool
  /// Bytes to download to bring what is installed to that release.
  public let updateSize: UInt64
  /// Packages in it, on any level.
  public let packages: Int
  /// Its data groups, if it is a package.
  public let groups: [String]
  /// Paths of its files below the directory `maps` of a generation; the first 64.
  public let files: [String]
  /// Where a package is; nil if that is not known.
  public let bounds: GeoBox?
  /// A package that the composite tree hides.
  public let isDetail: Bool
  /// An installed package that nobody has asked for: the device was near it.
  public let isFromArea: Bool

  /// What a node is.
  public enum Kind: Sendable { case region, package }

  /// How much of a node is installed.
  public enum State: String, Sendable {
    case installed, partiallyInstalled, notInstalled
    /// Files are missing or damaged, or data groups are others than the selected ones.
    case inconsistent
  }

  /// What is being done with a node.
  public enum Activity: String, Sendable { case waiting, downloading, indexing, applying }

  /// What a user can ask for.
  public enum Action: String, Sendable { case install, update, uninstall, cancel }

  init(_ event: EventContent) {
    id = event.text("id")
    kind = event.name == "region" ? .region : .package
    parent = event.textIfAny("parent")
    name = event.text("name")
    childCount = event.count("children")
    state = State(rawValue: event.text("state")) ?? .inconsistent
    activity = Activity(rawValue: event.text("activity"))
    actions = Set(event.texts("actions").compactMap { Action(rawValue: $0) })
    size = event.number("size")
    installedSize = event.number("installedSize")
    downloadSize = event.number("download")
    isUpdateAvailable = event.flag("updateAvailable")
    updateSize = event.number("updateDownload")
    packages = event.count("packages")
    groups = event.texts("groups")
    files = event.texts("files")
    bounds = GeoBox(event.numbers("bounds"))
    isDetail = event.flag("detail")
    isFromArea = event.object("area") != nil
  }
}

/// A release of all maps.
public struct MapRelease: Sendable, Hashable {
  /// Higher for a newer one.
  public let number: UInt64
  /// What its publisher calls it, such as `2024-06-30`.
  public let label: String

  init(_ content: EventContent) {
    number = content.number("number")
    label = content.text("label")
  }

  init?(number: UInt64, label: String) {
    guard number > 0 else { return nil }
    (self.number, self.label) = (number, label)
  }
}
