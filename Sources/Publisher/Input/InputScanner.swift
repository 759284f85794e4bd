internal import Catalog
internal import CatalogWriting
internal import MapModel
internal import Platform
internal import Store

/// Finds the components in a directory of maps.
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
  private let form: ComponentForm
  private var layout: InputLayout
  /// Replacements that a `map.xml` declares for packages below its directory.
  private var replacedBelow: [MapFile.Replaced] = []

  private var replaced: [PackageID: [PackageID]] {
    var replaced = Dictionary(grouping: replacedBelow, by: \.by).mapValues { $0.map(\.id) }
    for file in layout.files where file.folder.isPackage {
      if let ids = file.folder.map?.replaces, !ids.isEmpty { replaced[file.id, default: []] += ids }
    }
    return replaced
  }

  /// The content of an input directory.
  struct Found {
    /// In order of their names.
    let components: [InputComponent]
    let regions: RegionNames
    /// Of packages that take the place of others, the ids of those.
    let replaced: [PackageID: [PackageID]]
    let ignored: [IgnoredFile]
    let warnings: [ReleaseWarning]
  }

  /// Reads the whole input.
  ///
  /// - `hadTree`: whether the last release had a data group of a package as one component of many files; nil: it had none.
  static func scan(
    _ source: InputSource, release: Release, form: ComponentForm = .plain, names: NameLayout? = nil,
    hadTree: (PackageID, DataGroup) -> Bool? = { _, _ in nil }
  ) throws(PublisherError) -> Found {
    var scanner = InputScanner(release: release, source: source, form: form, names: names)
    let path = source.path
    let directory = try onFile { () throws(Failure) in
      try Directory(opening: source.directory, shownAs: path)
    }
    try scanner.scan(directory, parts: [])
    scanner.layout.separate()
    for placed in try scanner.takeTrees(hadTree) {
      do throws(PublisherError) { scanner.components.append(try scanner.component(placed)) } catch {
        try scanner.flaws.note(error)
      }
    }
    try scanner.flaws.check()
    scanner.components.sort { $0.description.name < $1.description.name }
    try scanner.checkNames()
    guard !scanner.components.isEmpty else {
      throw .input(.noComponents(path: path, links: scanner.ignored.count { $0.reason == .notAFile }))
    }
    let regions = try scanner.regions()
    return Found(
      components: scanner.components, regions: regions, replaced: scanner.replaced, ignored: scanner.ignored,
      warnings: scanner.warnings + scanner.nameWarnings())
  }

  private init(release: Release, source: InputSource, form: ComponentForm, names: NameLayout?) {
    layout = InputLayout(names: names)
    self.release = release
    self.source = source
    self.form = form
  }

  /// - `tree`: the description of the package that the directory is part of; files in there belong to that package.
  /// - Returns: the files of that package.
  @discardableResult
  private mutating func scan(
    _ directory: borrowing Directory, parts: [String], tree: MapFile? = nil
  ) throws(PublisherError) -> [InputFile] {
    guard parts.count <= PublisherLimits.inputDepth else { throw .input(.tooDeep(path: directory.path)) }
    let names = try InputScanner.names(in: directory)
    let all = Set(names)
    var folder = InputFolder(path: directory.path, parts: parts)
    if tree == nil, all.contains(MapFile.fileName) { folder.map = try mapFile(in: directory) }
    replacedBelow += folder.map?.replaced ?? []
    let map = tree ?? folder.map
    for name in names {
      do throws(PublisherError) {
        folder.files += try scan(name, in: directory, among: all, parts: parts, of: map)
      } catch { try flaws.note(error) }
    }
    if tree != nil { return folder.files }
    try describe(folder)
    try place(folder)
    return []
  }

  /// Returns the file if it is to be published; what is in a directory is looked at on its own, unless it is part of a
  /// package.
  ///
  /// - `names`: all in the directory.
  /// - `map`: what describes the package, if something does.
  private mutating func scan(
    _ name: String, in directory: borrowing Directory, among names: Set<String>, parts: [String],
    of map: MapFile?
  ) throws(PublisherError) -> [InputFile] {
    let path = "\(directory.path)/\(name)"
    let status = try InputScanner.status(of: name, in: directory)
    if name.utf8.first == UInt8(ascii: ".") {
      ignore(path, because: .hidden)
    } else if status.kind == .directory {
      let below = try InputScanner.reading(path) { () throws(Failure) in try directory.openDirectory(name) }
      return try scan(below, parts: parts + [name], tree: map?.isTree ?? false ? map : nil)
    } else if status.kind != .file {
      ignore(path, because: .notAFile)
    } else if name == MapFile.fileName {
      return []
    } else if DataFileName(name).isSystemFile {
      ignore(path, because: .systemFile)
    } else if let companion = SQLiteCompanion(name, among: names) {
      let front = try InputScanner.front(of: name, count: 8, in: directory)
      guard !companion.isNeeded(front: front) else {
        throw .input(.unfinishedDatabase(path: path, companion: companion.kind))
      }
      ignore(path, because: .emptyCompanion)
    } else if DataFileName(name).isDocument && !(map?.lists(name) ?? false) {
      ignore(path, because: .document)
    } else {
      let front = try InputScanner.front(of: name, count: SQLiteHeader.length, in: directory)
      if SQLiteHeader(front).usesWriteAheadLog && !names.contains("\(name)-wal") {
        warnings.append(.writeAheadLog(path: path))
      }
      return [InputFile(parts: parts + [name], size: status.size)]
    }
    return []
  }

  /// Notes the names of a region, or a `map.xml` that describes nothing.
  private mutating func describe(_ folder: InputFolder) throws(PublisherError) {
    guard let map = folder.map, folder.data.isEmpty || !folder.isPackage else { return }
    let path = "\(folder.path)/\(MapFile.fileName)"
    if folder.parts.isEmpty, folder.data.isEmpty, map.id == nil {
      if map.replaced.isEmpty || !map.geography.names.isEmpty { ignore(path, because: .noRegion) }
      return
    }
    if map.geography.bounds != nil || !map.geography.polygons.isEmpty {
      warnings.append(.boundsOfRegion(path: path))
    }
    guard folder.files.isEmpty || !folder.data.isEmpty else {
      ignore(path, because: .noData)
      return
    }
    do throws(PublisherError) {
      try InputScanner.check(
        map.id.map { [$0.text] } ?? folder.parts, texts: map.geography.names.map(\.text), of: path)
      let id = map.id ?? PackageID(folder.parts.joined(separator: "/"))
      regionMaps.append((path, id, map.geography.names))
    } catch { try flaws.note(error) }
  }

  /// Takes the files of a folder.
  private mutating func place(_ folder: InputFolder) throws(PublisherError) {
    for file in folder.files {
      let path = path(of: file)
      do throws(PublisherError) {
        if file.isComponent && !(folder.map?.isTree ?? false) {
          components.append(try ready(file, path: path))
        } else {
          try InputScanner.check(folder.map?.id == nil ? file.parts : [file.name], texts: [], of: path)
          try layout.add(file, of: folder, path: path)
        }
      } catch { try flaws.note(error) }
    }
  }

  /// As the user would write it.
  private func path(of file: InputFile) -> String { ([source.path] + file.parts).joined(separator: "/") }

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
  private func ready(_ file: InputFile, path: String) throws(PublisherError) -> InputComponent {
    let location = source.location(of: path)
    let component: ComponentFile
    let (place, shown) = (PathParts(of: location), PathParts(of: path))
    let open = try InputScanner.reading(path) { () throws(Failure) in
      try Directory(opening: place.parent, shownAs: shown.parent).open(place.name)
    }
    do throws(CatalogError) { component = try ComponentFile.read(open, detail: .full) } catch {
      throw .input(.rejected(error))
    }
    try InputScanner.check(component.description, of: path)
    return InputComponent(
      path: path, file: location, kind: .ready(size: file.size), description: component.description)
  }

  /// The component of a data file.
  private func component(_ placed: InputLayout.Placed) throws(PublisherError) -> InputComponent {
    let path = path(of: placed.file)
    let map = placed.folder.isPackage ? placed.folder.map ?? MapFile() : MapFile()
    guard let file = placed.path else { throw .input(.noPath(path: path)) }
    let name = ComponentName(id: placed.id, dataGroup: placed.dataGroup, file: form == .plain ? file : nil)
    let description = description(of: name, map, size: placed.file.size)
    try InputScanner.check(description, of: path)
    let described = UInt64(description.document.utf8.count)
    guard described <= CatalogLimits.description else {
      throw .input(.descriptionTooLarge(path: path, bytes: described))
    }
    return InputComponent(
      path: path, file: source.location(of: path), kind: form == .plain ? .plain : .wrapped,
      description: description)
  }

  /// Takes the files that are components together; the others.
  private mutating func takeTrees(
    _ hadTree: (PackageID, DataGroup) -> Bool?
  ) throws(PublisherError) -> [InputLayout.Placed] {
    guard form == .plain else { return layout.files }
    var rest: [InputLayout.Placed] = []
    var groups: [ComponentName: [InputLayout.Placed]] = [:]
    for placed in layout.files {
      guard placed.folder.map?.isTree ?? false, let name = placed.treeName else {
        rest.append(placed)
        continue
      }
      groups[name, default: []].append(placed)
    }
    for (name, files) in groups {
      guard TreeInput.isWorthwhile(files.map(\.file.size), before: hadTree(name.id, name.dataGroup)) else {
        rest += files
        continue
      }
      do throws(PublisherError) { components.append(try tree(files, name)) } catch { try flaws.note(error) }
    }
    return rest
  }

  /// The component of many files of a folder.
  private func tree(
    _ files: [InputLayout.Placed], _ name: ComponentName
  ) throws(PublisherError) -> InputComponent {
    let folder = files[0].folder
    let members = try files.map { (placed) throws(PublisherError) -> TreeInput.Member in
      let path = path(of: placed.file)
      guard placed.path != nil else { throw .input(.noPath(path: path)) }
      return TreeInput.Member(
        name: placed.file.parts.dropFirst(folder.parts.count).joined(separator: "/"),
        location: source.location(of: path), size: placed.file.size)
    }
    guard members.count <= TreeFront.maximumCount else {
      throw .input(.tooManyFiles(path: folder.path, count: members.count))
    }
    let tree = TreeInput(members)
    let map = folder.map ?? MapFile()
    var description = description(of: name, map, size: tree.size)
    // An index command gets one file.
    description.indexSize = 0
    try InputScanner.check(description, of: folder.path)
    return InputComponent(
      path: folder.path, file: source.location(of: folder.path), kind: .tree(tree), description: description)
  }

  private func description(of name: ComponentName, _ map: MapFile, size: UInt64) -> Description {
    let (names, needs) = (PathNames(id: name.id), map.needs(of: name.dataGroup))
    return Description(
      name: name, group: map.group ?? names.group,
      country: map.country ?? names.country, region: map.region ?? names.region, release: release,
      dataSize: size, indexSize: needs.indexSize ?? 0, minimumReader: needs.minimumReader ?? 0,
      isDetail: map.isDetail, geography: map.geography)
  }

  private func mapFile(in directory: borrowing Directory) throws(PublisherError) -> MapFile? {
    let path = "\(directory.path)/\(MapFile.fileName)"
    guard try InputScanner.status(of: MapFile.fileName, in: directory).kind == .file else { return nil }
    let file = try InputScanner.reading(path) { () throws(Failure) in try directory.open(MapFile.fileName) }
    do throws(CatalogError) {
      return try MapFile(FileSource(file, limit: PublisherLimits.mapFile), path: path)
    } catch { throw .input(.rejected(error)) }
  }
}
