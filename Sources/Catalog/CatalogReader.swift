package import MapModel
package import Platform

/// A catalog, one item at a time, in the memory of one.
///
/// A part is passed over unless it is entered; its items then come in its place.
package struct CatalogReader<Source: ByteSource & ~Copyable>: ~Copyable {
  /// Of the document that is read.
  var reader: XMLReader<Source>
  /// The document and the part of it that this one is about; nil at the top.
  private var outer: OuterDocument<Source>?
  let detail: Detail
  /// Where the item that was read last begins and ends; without a component, nothing more can come of its package.
  private var last: (first: PackageID, id: PackageID, component: ComponentName?)?
  /// Packages that the next one might be nested in: its id starts with the bytes of each of theirs.
  private var ancestors: [PackageID] = []
  /// The named regions above the item that was read last, the outermost first; at most seven.
  package private(set) var regions: [Region] = []
  /// How many of `regions`, from the end, still wait for their first item.
  private var waitingRegions = 0
  /// How many of `regions` begin outside of this document, and whether it has had an item.
  private var (outerRegions, isEmpty) = (0, true)
  private var outline = OutlineUse.none

  /// What becomes of the outline of the part that is read.
  private enum OutlineUse { case none, wanted, open }
  /// Payloads were passed over so far because their format is not known.
  package internal(set) var hasUnknownFormats = false

  /// Without a number and a label for a part that is read by itself.
  package let release: Release
  /// The catalog lists parts; otherwise it lists the components itself.
  package let hasParts: Bool

  /// What a document is.
  package enum Kind { case catalog, part }

  /// Reads the document's first tag.
  package init(
    _ source: consuming Source, path: String, detail: Detail = .summary, as kind: Kind = .catalog
  ) throws(CatalogError) {
    var reader = try XMLReader(source, path: path)
    let attributes = try reader.root(kind == .part ? "part" : "catalog")
    let hasParts = try attributes.version(upTo: kind == .part ? 1 : 2) == 2 || kind == .part
    let release = try kind == .part ? Release(number: 0, label: "") : attributes.release(number: "release")
    self.release = release
    self.hasParts = hasParts
    self.reader = reader
    self.detail = detail
  }

  /// The next component of a catalog without parts; nil after the last.
  package mutating func next() throws(CatalogError) -> CatalogEntry? {
    switch try nextItem() {
    case .component(let entry): return entry
    case .part: throw reader.malformed(.unexpectedElement("part"))
    case .none: return nil
    }
  }

  /// The next component or part; nil when the catalog is complete.
  package mutating func nextItem() throws(CatalogError) -> CatalogItem? {
    while true {
      switch try reader.next() {
      case .start("component", let list):
        let entry = try outline == .open ? outlinedEntry(attributes(list)) : entry(attributes(list))
        try begin(entry)
        return .component(entry)
      case .start("part", let list):
        let part = try part(attributes(list))
        try begin(part)
        return .part(part)
      case .start("region", let list): try open(try region(attributes(list)))
      case .start("outline", _) where outline == .wanted && isEmpty: outline = .open
      case .start: try reader.skipElement()
      case .end where outline != .open: break
      case .end, .finish:
        if waitingRegions > 0, let region = regions.last { throw misplaced(region) }
        guard try leave() else { return nil }
      }
    }
  }

  // MARK: - Replaced packages

  /// Calls `body` with the replaced packages, in the order of their ids and of their successors, and reads nothing else.
  package consuming func forEachReplacement(
    _ body: (Replacement) throws(CatalogError) -> Void
  ) throws(CatalogError) {
    var last: Replacement?
    var count = 0
    while case .start("replaced", let list) = try reader.next() {
      let attributes = attributes(list)
      let next = Replacement(
        try attributes.value("id") { PackageID($0) }, by: try attributes.value("by") { PackageID($0) },
        release: try attributes.number("release"), isKept: try attributes.claim("kept", yes: "1", no: "0"))
      try reader.skipElement()
      count += 1
      guard count <= CatalogLimits.replaced else { throw attributes.refused(.tooLarge) }
      let isSorted = last.map { ($0.id, $0.successor) < (next.id, next.successor) } ?? true
      guard isSorted else { throw attributes.refused(.invalid(attribute: "by")) }
      try body(next)
      last = next
    }
  }

  private func attributes(_ list: [XMLAttribute]) -> XMLAttributes {
    XMLAttributes(list, path: reader.path, at: reader.position)
  }

  // MARK: - Order

  private mutating func begin(_ entry: CatalogEntry) throws(CatalogError) {
    let (name, id) = (entry.name, entry.name.id)
    if let part = outer?.part {
      guard part.level == 0, isEmpty ? id == part.first : id <= part.last else {
        throw reader.malformed(.notInPart(id: id))
      }
    }
    if let last {
      let isSorted = last.id == id ? last.component.map { $0 < name } ?? false : last.id < id
      guard isSorted else { throw reader.malformed(.unsorted(entry.name)) }
    }
    try enter(id)
    last = (id, id, name)
    isEmpty = false
    try closeRegions { $0.isAbove(id) }
  }

  private mutating func begin(_ part: CatalogPart) throws(CatalogError) {
    guard hasParts else { throw reader.malformed(.unexpectedElement("part")) }
    if let outer = outer?.part {
      guard part.level + 1 == outer.level, isEmpty ? part.first == outer.first : part.last <= outer.last
      else { throw reader.malformed(.notInPart(id: part.first)) }
    }
    guard part.first <= part.last, last.map({ $0.id < part.first }) ?? true else {
      throw reader.malformed(.unsortedPart(from: part.first))
    }
    try enter(part.first)
    try enter(part.last)
    last = (part.first, part.last, nil)
    isEmpty = false
    try closeRegions { part.isBelow($0) }
  }

  /// Refuses a package below another one.
  private mutating func enter(_ id: PackageID) throws(CatalogError) {
    if let last, last.id == id { return }
    while let package = ancestors.last, !id.text.utf8.starts(with: package.text.utf8) {
      ancestors.removeLast()
    }
    guard !ancestors.contains(where: { $0.isAbove(id) }) else {
      throw reader.malformed(.nestedPackage(id: id))
    }
    if ancestors.last != id { ancestors.append(id) }
  }

  // MARK: - Regions

  /// Takes a region that has come before its first item.
  private mutating func open(_ region: Region) throws(CatalogError) {
    if waitingRegions == 0 {
      while regions.count > outerRegions, let inner = regions.last, !inner.id.isAbove(region.id) {
        regions.removeLast()
      }
    }
    if let outer = regions.last, !outer.id.isAbove(region.id) { throw misplaced(region) }
    if !isEmpty, let last, region.id.isAbove(last.first), region.id.isAbove(last.id) {
      throw misplaced(region)
    }
    regions.append(region)
    waitingRegions += 1
  }

  /// Drops the regions that the next item is not in; one that waits for its first item must be above it.
  private mutating func closeRegions(except isAbove: (PackageID) -> Bool) throws(CatalogError) {
    while regions.count > outerRegions, let region = regions.last, !isAbove(region.id) {
      guard waitingRegions == 0 else { throw misplaced(region) }
      regions.removeLast()
    }
    waitingRegions = 0
  }

  private func misplaced(_ region: Region) -> CatalogError {
    reader.malformed(.misplacedRegion(id: region.id))
  }

  // MARK: - Parts

  /// Reads the items of `part`, which was read last, in its place.
  ///
  /// - `byOutline`: as the outline at its front has them, if it has one (`CatalogEntry.outlined`).
  package mutating func enter(
    _ part: CatalogPart, _ source: consuming Source, path: String, byOutline: Bool = false
  ) throws(CatalogError) {
    var inner = try XMLReader(source, path: path, capacity: byOutline ? 2 << 10 : 8 << 10)
    try inner.root("part").checkVersion()
    swap(&reader, &inner)
    outer = OuterDocument(inner, part: part, regions: outerRegions, outer: outer)
    (outerRegions, isEmpty) = (regions.count, true)
    outline = byOutline ? .wanted : .none
    // The part's own place was checked; its first item has to be at its beginning.
    last = nil
  }

  /// Goes back to the document that the part was in; false if this is the outermost one.
  private mutating func leave() throws(CatalogError) -> Bool {
    guard let document = outer else { return false }
    guard let last, last.id == document.part.last else { throw reader.malformed(.truncated) }
    swap(&reader, &document.reader)
    while regions.count > outerRegions { regions.removeLast() }
    (outerRegions, isEmpty) = (document.regions, false)
    outline = .none
    self.last = (document.part.first, last.id, nil)
    outer = document.outer
    return true
  }

  /// How much to keep of a component: a package's first one says where on the globe the package is.
  func detail(of id: PackageID) -> Detail {
    guard let last, last.id == id else { return detail }
    switch detail {
    case .covering, .near: return .summary
    case .corners: return .sizes
    case .summary, .sizes, .full: return detail
    }
  }
}

extension CatalogReader where Source == XZSource {
  /// Opens a catalog as it is served.
  package init(_ file: consuming File, detail: Detail = .summary) throws(CatalogError) {
    let path = file.path
    try self.init(try XZSource(file), path: path, detail: detail)
  }

  /// Reads the items of `part`, which was read last, in its place.
  ///
  /// - `file`: the part as it is served.
  /// - `byOutline`: as above; then only the front of the file is unpacked.
  package mutating func enter(
    _ part: CatalogPart, _ file: consuming File, byOutline: Bool = false
  ) throws(CatalogError) {
    let path = file.path
    let source = try XZSource(file, memory: CatalogLimits.partMemory)
    try enter(part, source, path: path, byOutline: byOutline)
  }
}

/// A document that waits for the end of one of its parts.
private final class OuterDocument<Source: ByteSource & ~Copyable> {
  var reader: XMLReader<Source>
  /// The part that is read.
  let part: CatalogPart
  /// How many regions begin outside of the document.
  let regions: Int
  let outer: OuterDocument?

  init(_ reader: consuming XMLReader<Source>, part: CatalogPart, regions: Int, outer: OuterDocument?) {
    self.reader = reader
    self.part = part
    self.regions = regions
    self.outer = outer
  }
}
