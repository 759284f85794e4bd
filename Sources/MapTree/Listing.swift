internal import Catalog
internal import MapModel
package import Platform
internal import Store

/// The nodes of the map tree in order: each region is followed by its content.
///
/// A tree takes two walks, because a region is listed before its packages and needs their sums: the first walk adds
/// them up.
package struct Listing: ~Copyable {
  private let query: ListingQuery
  /// Bytes of memory that applying a container may take.
  private let memory: UInt64
  private let activity: (ListedPackage.Component) -> Activity?
  /// No operation waits: nothing is going on with a package that is not installed.
  private let isIdle: Bool
  private var table: RegionTable
  /// Top-level nodes that are still to be shown.
  private var remaining: UInt32 = 0
  /// Packages that could not be listed, because the parts of the catalog that list them are not on this device.
  package private(set) var unlisted: UInt32 = 0

  /// - `memory`: bytes of the memory budget that the program itself does not need.
  /// - `queue`: nil to show no activity.
  package init(_ query: ListingQuery, memory: UInt64, queue: QueueView? = nil) {
    self.query = query
    self.memory = memory
    activity = { queue?.activity(of: $0) }
    isIdle = queue?.isEmpty ?? true
    table = RegionTable(memory: memory)
  }

  /// Calls `body` with every node.
  ///
  /// Ids that match nothing are refused: in a tree before the first call of `body`, in a plain list after the last.
  package mutating func run(
    _ sources: inout ListingSources, _ body: (ListNode) -> Void
  ) throws(Failure) {
    if query.view != .packages { try addUp(&sources) }
    let (query, isIdle) = (query, isIdle)
    var walk = try sources.walk(.summary, memory: memory, activity: activity, usesOutlines: isIdle) {
      query.ignores($0) || isIdle && $1 == .untouched && query.hides($0)
    }
    var path = RegionPath()
    var matched = MatchedIDs(query.ids)
    var nextRegion = 0
    while let id = walk.nextID {
      let (last, isSelected) = (walk.gap?.last ?? id, walk.gap.map { query.selects($0) } ?? query.selects(id))
      path.move(to: id, through: last)
      if query.view != .packages && isSelected {
        try open(&path, to: id, through: last, next: &nextRegion, in: walk, of: sources.release, body: body)
      }
      if let part = walk.gap {
        matched.note(part)
        if query.mayList(part) {
          let isListed = try walk.has(part)
          if !isListed { unlisted = unlisted.saturatingSum(part.packages) }
        }
        try walk.passGap()
        continue
      }
      guard let package = try walk.next(sources.generation), query.selects(id) else { continue }
      matched.note(id)
      show(package, in: path, of: sources, body: body)
    }
    try check(matched)
  }

  // MARK: - The first walk

  private mutating func addUp(_ sources: inout ListingSources) throws(Failure) {
    let (query, isIdle) = (query, isIdle)
    var walk = try sources.walk(.sizes, memory: memory, activity: activity, usesOutlines: isIdle) {
      isIdle && $1 == .untouched && query.needsSums(of: $0)
    }
    var path = RegionPath()
    var matched = MatchedIDs(query.ids)
    while true {
      if let part = walk.gap {
        matched.note(part)
        path.move(to: part.first, through: part.last)
        if query.selects(part) {
          var sums = NodeSums(part, selection: sources.groups)
          let isListed = try walk.has(part)
          if isListed { sums.unlisted = 0 }
          try addUp(sums, from: part.first, through: part.last, in: &path)
          count(isListed ? part.packages : 0, with: sums, in: path)
        }
        try walk.passGap()
        continue
      }
      guard let package = try walk.next(sources.generation) else { break }
      path.move(to: package.id, through: package.id)
      guard query.selects(package.id) else { continue }
      matched.note(package.id)
      try addUp(package.sums, from: package.id, through: package.id, in: &path)
      count(query.shows(package) ? 1 : 0, with: package.sums, in: path)
    }
    try check(matched)
  }

  /// Adds the sums of packages to all regions above all of them, which are opened.
  private mutating func addUp(
    _ sums: NodeSums, from first: PackageID, through last: PackageID, in path: inout RegionPath
  ) throws(Failure) {
    for region in path.opening(to: first, through: last)
    where query.selects(region) && path.open.count < query.depth {
      if let parent = path.open.last {
        table[parent.index].children = table[parent.index].children.saturatingSum(1)
      }
      path.push(region, index: try table.add())
    }
    for region in path.open { table[region.index].sums.add(sums) }
  }

  /// Counts packages of the view as children of their region, and counts the nodes that will be shown.
  private mutating func count(_ packages: UInt32, with sums: NodeSums, in path: RegionPath) {
    if let parent = path.open.last {
      table[parent.index].children = table[parent.index].children.saturatingSum(packages)
    }
    guard query.passes(sums) else { return }
    if path.open.count < query.depth { countRemaining(packages, below: path.open.last) }
    for (level, region) in path.open.enumerated().reversed() {
      if table[region.index].isShown { break }
      table[region.index].isShown = true
      countRemaining(1, below: level > 0 ? path.open[level - 1] : nil)
    }
  }

  private mutating func countRemaining(_ count: UInt32, below region: RegionPath.Entry?) {
    if let region {
      table[region.index].remaining = table[region.index].remaining.saturatingSum(count)
    } else {
      remaining = remaining.saturatingSum(count)
    }
  }

  // MARK: - The second walk

  /// Shows the regions whose first packages come next.
  private mutating func open(
    _ path: inout RegionPath, to first: PackageID, through last: PackageID, next: inout Int,
    in walk: borrowing PackageWalk,
    of release: Release, body: (ListNode) -> Void
  ) throws(Failure) {
    for region in path.opening(to: first, through: last)
    where query.selects(region) && path.open.count < query.depth {
      // Both walks read the same files, but a failing disk may return other bytes the second time.
      guard next < table.count else {
        throw Failure(.input, path: "the catalog of \(release.text)")
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
          children: Int(clamping: table[index].children),
          actions: query.view == .composite ? sums.actions : [],
          groups: [], files: [], bounds: nil, isDetail: false, arrival: nil, refusal: nil, release: nil,
          trail: path.open.map { $0.isLast }))
    }
  }

  private mutating func show(
    _ package: ListedPackage, in path: RegionPath, of sources: borrowing ListingSources,
    body: (ListNode) -> Void
  ) {
    guard query.shows(package), query.passes(package.sums) else { return }
    let isFlat = query.view == .packages
    guard isFlat || path.open.count < query.depth else { return }
    let trail = isFlat ? [] : path.open.map { $0.isLast } + [takeRemaining(below: path.open.last)]
    body(
      ListNode(
        kind: .package, id: package.id, name: query.language.name(of: package.names) ?? "",
        sums: package.sums, children: 0, actions: package.sums.actions, groups: package.groups,
        files: package.files, bounds: package.bounds,
        isDetail: package.isDetail, arrival: package.isInstalled ? sources.area[package.id] : nil,
        refusal: sources.refused[package.id],
        release: package.isNew ? sources.newest : nil, trail: trail))
  }

  /// Counts one node down and returns whether it was the last of its siblings.
  private mutating func takeRemaining(below region: RegionPath.Entry?) -> Bool {
    guard let region else {
      remaining = remaining > 0 ? remaining - 1 : 0
      return remaining == 0
    }
    let left = table[region.index].remaining
    table[region.index].remaining = left > 0 ? left - 1 : 0
    return left <= 1
  }

  private func check(_ matched: MatchedIDs) throws(Failure) {
    let unknown = matched.unmatched
    guard unknown.isEmpty else { throw .unknownPackages(unknown.map { $0.text }) }
  }
}
