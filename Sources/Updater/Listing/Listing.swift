internal import Catalog
internal import MapModel
internal import Platform
internal import Store

/// The nodes of the map tree in their order: a region, then what is in it.
///
/// A tree takes two walks: the first adds up the regions, as a region comes before its packages and needs their sums.
package struct Listing: ~Copyable {
  private let query: ListingQuery
  /// Bytes that the process may use.
  private let budget: UInt64
  /// Bytes that applying a container may take.
  private let memory: UInt64
  private let activity: (ListedPackage.Component) -> Activity?
  private var table: RegionTable
  /// Nodes at the top that will be shown and were not yet.
  private var remaining: UInt32 = 0

  /// `budget`: bytes of memory that the process may use; `queue`: nil if nothing happens just now.
  package init(_ query: ListingQuery, budget: UInt64, _ queue: QueueView? = nil) {
    self.query = query
    self.budget = budget
    memory = budget - min(budget, Limits.ownMemory)
    activity = { queue?.activity(of: $0) }
    table = RegionTable(budget: budget)
  }

  /// Calls `body` with every node; the sums of all that are listed.
  ///
  /// Refuses ids that nothing belongs to before the first call, but for a plain list of packages.
  package mutating func run(
    _ sources: inout ListingSources, _ body: (ListNode) -> Void
  ) throws(UpdateError) -> NodeSums {
    if query.view != .packages { _ = try addUp(&sources) }
    var walk = try sources.walk(.summary, memory: memory, activity: activity)
    var path = RegionPath()
    var total = NodeSums()
    var matched = query.ids.map { _ in false }
    var nextRegion = 0
    while let id = walk.nextID {
      path.move(to: id)
      if query.view != .packages && query.selects(id) {
        try open(&path, &nextRegion, walk, sources.release, body)
      }
      guard let package = try walk.next(sources.generation), query.selects(id) else { continue }
      note(id, in: &matched)
      total.add(package.sums)
      show(package, in: path, sources.newest, body)
    }
    try check(matched)
    return total
  }

  // MARK: - The first walk

  private mutating func addUp(_ sources: inout ListingSources) throws(UpdateError) -> Int {
    var walk = try sources.walk(.sizes, memory: memory, activity: activity)
    var path = RegionPath()
    var matched = query.ids.map { _ in false }
    while let package = try walk.next(sources.generation) {
      path.move(to: package.id)
      guard query.selects(package.id) else { continue }
      note(package.id, in: &matched)
      for region in path.opening where query.selects(region) && path.open.count < query.depth {
        if let parent = path.open.last { table[parent.index].children += 1 }
        path.push(region, index: try table.add())
      }
      for region in path.open { table[region.index].sums.add(package.sums) }
      count(package, in: path)
    }
    try check(matched)
    return table.count
  }

  /// Counts a package among the children of its region, and what of them will be shown.
  private mutating func count(_ package: ListedPackage, in path: RegionPath) {
    let isShown = query.shows(package)
    if isShown, let parent = path.open.last { table[parent.index].children += 1 }
    guard query.passes(package.sums) else { return }
    if isShown && path.open.count < query.depth { countRemaining(below: path.open.last) }
    for (level, region) in path.open.enumerated().reversed() {
      if table[region.index].isShown { break }
      table[region.index].isShown = true
      countRemaining(below: level > 0 ? path.open[level - 1] : nil)
    }
  }

  private mutating func countRemaining(below region: RegionPath.Entry?) {
    if let region { table[region.index].remaining += 1 } else { remaining += 1 }
  }

  // MARK: - The second walk

  /// Shows the regions that begin at the next package.
  private mutating func open(
    _ path: inout RegionPath, _ next: inout Int, _ walk: borrowing PackageWalk, _ release: Release,
    _ body: (ListNode) -> Void
  ) throws(UpdateError) {
    for region in path.opening where query.selects(region) && path.open.count < query.depth {
      // Both walks read the same files, but a failing disk may return other bytes the second time.
      guard next < table.count else {
        throw .store(.file(FileError(.input, "the catalog of \(release.text)")))
      }
      let index = next
      next += 1
      let isShown = table[index].isShown
      let isLast = isShown && takeRemaining(below: path.open.last)
      path.push(region, index: index, isLast: isLast)
      guard isShown else { continue }
      let sums = table[index].sums
      body(
        ListNode(
          kind: .region, id: region, name: query.language.name(of: walk.names(of: region)) ?? "", sums: sums,
          children: Int(table[index].children), actions: query.view == .composite ? sums.actions : [],
          groups: [], isDetail: false, release: nil, trail: path.open.map { $0.isLast }))
    }
  }

  private mutating func show(
    _ package: ListedPackage, in path: RegionPath, _ newest: Release?, _ body: (ListNode) -> Void
  ) {
    guard query.shows(package), query.passes(package.sums) else { return }
    let isFlat = query.view == .packages
    guard isFlat || path.open.count < query.depth else { return }
    let trail = isFlat ? [] : path.open.map { $0.isLast } + [takeRemaining(below: path.open.last)]
    body(
      ListNode(
        kind: .package, id: package.id, name: query.language.name(of: package.names) ?? "",
        sums: package.sums, children: 0, actions: package.sums.actions, groups: package.groups,
        isDetail: package.isDetail, release: package.isNew ? newest : nil, trail: trail))
  }

  /// Counts one node down; true if it was the last of its siblings.
  private mutating func takeRemaining(below region: RegionPath.Entry?) -> Bool {
    guard let region else {
      remaining = remaining > 0 ? remaining - 1 : 0
      return remaining == 0
    }
    let left = table[region.index].remaining
    table[region.index].remaining = left > 0 ? left - 1 : 0
    return left <= 1
  }

  // MARK: - Ids

  private func note(_ id: String, in matched: inout [Bool]) {
    for (index, region) in query.ids.enumerated() where Operation.region(region, contains: id) {
      matched[index] = true
    }
  }

  private func check(_ matched: [Bool]) throws(UpdateError) {
    var unknown: [String] = []
    for (index, id) in query.ids.enumerated() where !matched[index] { unknown.append(id) }
    guard unknown.isEmpty else { throw .unknownPackages(unknown) }
  }
}

extension Updater {
  /// The lists that are there, or the catalog of the newest release where nothing is known yet.
  package mutating func listingSources() throws(UpdateError) -> ListingSources {
    if let sources = try ListingSources.open(configuration.root) { return sources }
    let newest = try newestUsable(try learn(nil))
    try fetchCatalog(newest)
    guard let sources = try ListingSources.open(configuration.root) else {
      throw .noReleases(url: configuration.repository ?? "")
    }
    return sources
  }
}
