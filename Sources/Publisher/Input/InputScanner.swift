internal import Catalog
internal import CatalogWriting
internal import MapModel
internal import Platform

/// Finds the components in a directory laid out as `REGION/…/PACKAGE/DATAGROUP.ext`.
struct InputScanner {
  private(set) var components: [InputComponent] = []
  private(set) var ignored: [IgnoredFile] = []
  private var warnings: [ReleaseWarning] = []
  private var flaws = NameFlaws()
  /// The `map.xml` of directories without data files, until their packages are known.
  private var regionMaps: [(path: String, id: PackageID?, names: [LocalizedName])] = []
  /// The release in all descriptions, until it is known whether a component changed.
  private let release: Release
  private let source: InputSource

  /// The content of an input directory.
  struct Found {
    /// In order of their names.
    let components: [InputComponent]
    let regions: RegionNames
    let ignored: [IgnoredFile]
    let warnings: [ReleaseWarning]
  }

  /// Reads the whole input.
  static func scan(_ source: InputSource, release: Release) throws(PublisherError) -> Found {
    var scanner = InputScanner(release: release, source: source)
    let path = source.path
    let directory = try onFile { () throws(FileError) in
      try Directory(opening: source.directory, shownAs: path)
    }
    try scanner.scan(directory, parts: [])
    try scanner.flaws.check()
    scanner.components.sort { $0.description.name < $1.description.name }
    try scanner.checkNames()
    guard !scanner.components.isEmpty else {
      throw .input(.noComponents(path: path, links: scanner.ignored.count { $0.reason == .notAFile }))
    }
    let regions = try scanner.regions()
    return Found(
      components: scanner.components, regions: regions, ignored: scanner.ignored,
      warnings: scanner.warnings + scanner.nameWarnings())
  }

  private init(release: Release, source: InputSource) {
    self.release = release
    self.source = source
  }

  /// What a directory holds, its files still to be described.
  private struct Content {
    var files: [(name: String, size: UInt64)] = []
    var map: MapFile?
  }

  private mutating func scan(_ directory: borrowing Directory, parts: [String]) throws(PublisherError) {
    guard parts.count <= PublisherLimits.inputDepth else { throw .input(.tooDeep(path: directory.path)) }
    let names = try InputScanner.names(in: directory)
    let all = Set(names)
    var content = Content()
    for name in names {
      do throws(PublisherError) {
        try scan(name, in: directory, among: all, parts: parts, into: &content)
      } catch { try flaws.note(error) }
    }
    try describe(content.map, of: content.files.map(\.name), in: directory, parts: parts)
    for file in content.files {
      do throws(PublisherError) {
        components.append(
          try DataFileName(file.name).isComponent
            ? ready(file.name, size: file.size, in: directory)
            : data(file.name, size: file.size, in: directory, map: content.map ?? MapFile(), parts: parts))
      } catch { try flaws.note(error) }
    }
  }

  /// - `names`: all in the directory.
  private mutating func scan(
    _ name: String, in directory: borrowing Directory, among names: Set<String>, parts: [String],
    into content: inout Content
  ) throws(PublisherError) {
    let path = "\(directory.path)/\(name)"
    let status = try InputScanner.status(of: name, in: directory)
    if name.utf8.first == UInt8(ascii: ".") {
      ignore(path, because: .hidden)
    } else if status.kind == .directory {
      let below = try InputScanner.reading(path) { () throws(FileError) in try directory.openDirectory(name) }
      try scan(below, parts: parts + [name])
    } else if status.kind != .file {
      ignore(path, because: .notAFile)
    } else if name == MapFile.fileName {
      content.map = try InputScanner.map(in: directory)
    } else if DataFileName(name).isSystemFile {
      ignore(path, because: .systemFile)
    } else if let companion = SQLiteCompanion(name, among: names) {
      let front = try InputScanner.front(of: name, count: 8, in: directory)
      guard !companion.isNeeded(front: front) else {
        throw .input(.unfinishedDatabase(path: path, companion: companion.kind))
      }
      ignore(path, because: .emptyCompanion)
    } else if DataFileName(name).isDocument {
      ignore(path, because: .document)
    } else {
      let front = try InputScanner.front(of: name, count: SQLiteHeader.length, in: directory)
      if SQLiteHeader(front).usesWriteAheadLog && !names.contains("\(name)-wal") {
        warnings.append(.writeAheadLog(path: path))
      }
      content.files.append((name, status.size))
    }
  }

  /// Notes the names of a region, or a `map.xml` that describes nothing.
  private mutating func describe(
    _ map: MapFile?, of files: [String], in directory: borrowing Directory, parts: [String]
  ) throws(PublisherError) {
    guard let map, files.allSatisfy({ DataFileName($0).isComponent }) else { return }
    let path = "\(directory.path)/\(MapFile.fileName)"
    guard files.isEmpty else {
      ignore(path, because: .noData)
      return
    }
    do throws(PublisherError) {
      try InputScanner.check(
        map.id.map { [$0.text] } ?? parts, texts: map.geography.names.map(\.text), of: path)
      regionMaps.append((path, map.id ?? InputScanner.id(of: parts), map.geography.names))
    } catch { try flaws.note(error) }
  }

  /// The regions that have a package below; the `map.xml` of others is ignored.
  private mutating func regions() throws(PublisherError) -> RegionNames {
    let known = RegionNames.above(components.map(\.description.name.id))
    var paths: [PackageID: String] = [:]
    var regions: [Region] = []
    for map in regionMaps {
      guard let id = map.id, known.contains(id) else {
        ignore(map.path, because: .noData)
        continue
      }
      if let first = paths[id] { throw .input(.sameRegion(id, first: first, second: map.path)) }
      paths[id] = map.path
      regions.append(Region(id: id, names: map.names))
    }
    return RegionNames(regions)
  }

  private mutating func ignore(_ path: String, because reason: IgnoredFile.Reason) {
    ignored.append(IgnoredFile(path: path, reason: reason))
  }

  /// Reads the description of a finished component.
  private func ready(
    _ name: String, size: UInt64, in directory: borrowing Directory
  ) throws(PublisherError) -> InputComponent {
    let path = "\(directory.path)/\(name)"
    let file = try InputScanner.reading(path) { () throws(FileError) in try directory.open(name) }
    let component: ComponentFile
    do throws(CatalogError) { component = try ComponentFile.read(file, detail: .full) } catch {
      throw .input(.rejected(error))
    }
    try InputScanner.check(component.description, of: path)
    return InputComponent(
      path: path, file: source.location(of: path), kind: .ready(size: size),
      description: component.description)
  }

  private func data(
    _ name: String, size: UInt64, in directory: borrowing Directory, map: MapFile, parts: [String]
  ) throws(PublisherError) -> InputComponent {
    let path = "\(directory.path)/\(name)"
    let stem = DataFileName(name).stem
    try InputScanner.check(parts + [stem], texts: [], of: path)
    guard !parts.isEmpty || map.id != nil else { throw .input(.noDirectory(path: path)) }
    guard let dataGroup = DataGroup(stem) else { throw .input(.noDataGroup(path: path)) }
    guard parts.count <= PublisherLimits.idParts || map.id != nil else { throw .input(.tooDeep(path: path)) }
    guard let id = map.id ?? InputScanner.id(of: parts) else { throw .input(.noPackage(path: path)) }
    let names = PathNames(id: id)
    let needs = map.needs(of: dataGroup)
    let description = Description(
      name: ComponentName(id: id, dataGroup: dataGroup), group: map.group ?? names.group,
      country: map.country ?? names.country, region: map.region ?? names.region, release: release,
      dataSize: size, indexSize: needs.indexSize ?? 0, minimumReader: needs.minimumReader ?? 0,
      isDetail: map.isDetail, geography: map.geography)
    try InputScanner.check(description, of: path)
    let described = UInt64(description.document.utf8.count)
    guard described <= CatalogLimits.description else {
      throw .input(.descriptionTooLarge(path: path, bytes: described))
    }
    return InputComponent(
      path: path, file: source.location(of: path), kind: .data, description: description)
  }

  /// The id that follows from a directory; nil if its name is not valid as one.
  private static func id(of parts: [String]) -> PackageID? { PackageID(parts.joined(separator: "/")) }

  private static func map(in directory: borrowing Directory) throws(PublisherError) -> MapFile {
    let path = "\(directory.path)/\(MapFile.fileName)"
    let file = try reading(path) { () throws(FileError) in try directory.open(MapFile.fileName) }
    do throws(CatalogError) {
      return try MapFile(FileSource(file, limit: PublisherLimits.mapFile), path: path)
    } catch { throw .input(.rejected(error)) }
  }
}
