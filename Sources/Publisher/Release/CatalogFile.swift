internal import Catalog
internal import CatalogWriting
internal import Crypto
internal import MapModel
internal import Platform
internal import Releases

/// Writes the catalog of a release as it is served, and checks that it can be read.
///
/// A large one is divided into parts: those of the lowest level list components, those above list parts, and the catalog
/// itself the parts of the highest level.
struct CatalogFile: Sendable {
  let repository: Repository
  let entries: [CatalogEntry]
  let regions: RegionNames
  var replaced: [Replacement] = []
  let release: Release
  /// Parts that are written at a time.
  let jobs: Int
  /// The URLs of the parts of the last release, which are there.
  let known: Set<String>

  /// An item of a document: the components of a package, or a part.
  private enum Item: Sendable {
    case package(ArraySlice<CatalogEntry>)
    case part(CatalogPart)
  }

  /// Writes the catalog, and reads it back as a device does.
  ///
  /// - `offer`: which devices it is for, and from when on.
  func write(_ offer: ReleaseOffer) async throws(PublisherError) -> ServedRelease {
    var items = entries[...].packages.map { Item.package($0) }
    var sizes = items.map { size(of: $0) }
    var level: UInt64 = 0
    while sizes.reduce(0, +) > CatalogDivision.wholeSize, level < CatalogLimits.partLevels {
      let ranges = try hashing { () throws(HasherError) in
        try CatalogDivision.parts(
          of: zip(items, sizes).map { .init(first: first(of: $0), last: last(of: $0), size: $1) })
      }
      let (current, parts) = (level, ranges.map { Array(items[$0]) })
      items = try await WorkerPool.run(parts, jobs: jobs) { (part) throws(PublisherError) in
        .part(try write(part, level: current))
      }
      sizes = items.map { size(of: $0) }
      level += 1
    }
    let made = try publish(document(of: items, hasParts: level > 0), offer)
    try check(made)
    return made
  }

  private func first(of item: Item) -> PackageID {
    switch item {
    case .package(let entries): entries[entries.startIndex].name.id
    case .part(let part): part.first
    }
  }

  private func last(of item: Item) -> PackageID {
    switch item {
    case .package(let entries): entries[entries.startIndex].name.id
    case .part(let part): part.last
    }
  }

  // MARK: - Documents

  /// Bytes of an item's text.
  private func size(of item: Item) -> Int {
    var writer = CatalogWriter()
    _ = writer.takeText()
    add(item, to: &writer)
    return writer.takeText().utf8.count
  }

  private func add(_ item: Item, to writer: inout CatalogWriter, inOutline: Bool = false) {
    switch item {
    case .package(let entries):
      for entry in entries { if inOutline { writer.add(outlined: entry) } else { writer.add(entry) } }
    case .part(let part): writer.add(part)
    }
  }

  /// - `isAround`: the region was in a document around this one.
  private func add(
    _ items: [Item], to writer: inout CatalogWriter, inOutline: Bool = false,
    isAround: (PackageID) -> Bool = { _ in false }
  ) {
    var previous: Item?
    for item in items {
      for region in regions.above(first(of: item)) where region.id.isAbove(last(of: item)) {
        let isOpen =
          previous.map { region.id.isAbove(first(of: $0)) && region.id.isAbove(last(of: $0)) } ?? false
        if !isOpen && !isAround(region.id) { writer.add(region) }
      }
      add(item, to: &writer, inOutline: inOutline)
      previous = item
    }
  }

  private func document(of items: [Item], hasParts: Bool) throws(PublisherError) -> PackedDocument {
    var writer = CatalogWriter(release, hasParts: hasParts)
    for replacement in replaced { writer.add(replacement) }
    add(items, to: &writer)
    writer.finish()
    return try PackedDocument(
      writer.takeText(), dictionary: PackedDocument.catalogDictionary, path: repository.path)
  }

  // MARK: - Files

  private func write(_ items: [Item], level: UInt64) throws(PublisherError) -> CatalogPart {
    let (first, last) = (first(of: items[0]), last(of: items[items.count - 1]))
    func isAround(_ region: PackageID) -> Bool { region.isAbove(first) && region.isAbove(last) }
    var writer = CatalogWriter()
    if level == 0 {
      writer.openOutline()
      add(items, to: &writer, inOutline: true, isAround: isAround)
      writer.closeOutline()
    }
    add(items, to: &writer, isAround: isAround)
    writer.finish()
    let packed = try PackedDocument(
      writer.takeText(), dictionary: PackedDocument.partDictionary, path: repository.path)
    let url = CatalogPart.url(of: packed.digest)
    if !known.contains(url) { try put(packed, as: url, by: packed.digest.hex) }
    var sums = PartSums()
    for item in items {
      switch item {
      case .package(let entries): sums.add(entries)
      case .part(let part): sums.add(part)
      }
    }
    return CatalogPart(
      from: first, to: last, level: level, packages: sums.packages, isFlat: sums.isFlat,
      url: url,
      file: CatalogReference(digest: packed.digest, size: UInt64(packed.bytes.count)),
      bounds: sums.bounds?.rounded, groups: sums.groups)
  }

  private func publish(
    _ packed: PackedDocument, _ offer: ReleaseOffer
  ) throws(PublisherError) -> ServedRelease {
    let size = UInt64(packed.bytes.count)
    guard size <= CatalogLimits.catalogFile else { throw .input(.catalogTooLarge(bytes: size)) }
    let made = ServedRelease(
      release, catalog: CatalogReference(digest: packed.digest, size: size),
      minimumApplication: entries.map(\.description.minimumReader).max() ?? 0, rollout: offer.rollout,
      effective: offer.effective, expires: offer.expires)
    try put(packed, as: made.catalogURL, by: "catalog.xz")
    return made
  }

  private func put(_ packed: PackedDocument, as url: String, by name: String) throws(PublisherError) {
    let workspace = try Workspace(repository)
    let file = try workspace.create(name)
    try onFile { () throws(Failure) in try file.write(packed.bytes.span.bytes) }
    try workspace.promote(name, as: url)
  }

  private func hashing<Result>(_ body: () throws(HasherError) -> Result) throws(PublisherError) -> Result {
    do throws(HasherError) { return try body() } catch { throw .library(.hashing(path: repository.path)) }
  }

  // MARK: - Reading back

  /// Reads the catalog and its parts as a device does, and compares them with the intended entries.
  private func check(_ made: ServedRelease) throws(PublisherError) {
    let listed = try CatalogIndex.replaced(made) { (url, _) in "\(repository.path)/\(url)" }
    guard listed == replaced else {
      throw .repository(.catalogNotReadBack(path: "\(repository.path)/\(made.catalogURL)"))
    }
    for byOutline in [false, true] {
      var index = 0
      var isSame = true
      _ = try CatalogIndex.read(
        made, byOutline: byOutline, file: { (url, _) in "\(repository.path)/\(url)" }
      ) { entry, above in
        isSame =
          isSame && index < entries.count && entries[index].isListed(as: entry, byOutline: byOutline)
          && above == regions.above(entry.name.id)
        index += 1
      }
      guard isSame, index == entries.count else {
        throw .repository(.catalogNotReadBack(path: "\(repository.path)/\(made.catalogURL)"))
      }
    }
  }
}
