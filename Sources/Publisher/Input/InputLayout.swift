internal import Catalog
internal import CatalogWriting
internal import MapModel
internal import Platform

/// Decides which package and data group each file of the input is (`docs/format/input.md`, Packages).
struct InputLayout {
  private(set) var files: [Placed] = []
  /// How ids follow from the names of files, if that was given.
  let names: NameLayout?
  /// The names that have given an id, or the front of one.
  private var spellings: [[UInt8]: String] = [:]

  init(names: NameLayout? = nil) { self.names = names }

  /// A file with its place in the release.
  struct Placed {
    let file: InputFile
    let folder: InputFolder
    var id: PackageID
    let dataGroup: DataGroup
    /// The id follows from names, and is not one that somebody has chosen.
    let isDerived: Bool

    /// The component that all files of its data group are, if they are one.
    var treeName: ComponentName? {
      let place = folder.map?.id?.text ?? folder.parts.joined(separator: "/")
      return ComponentPath(place + "/").map { ComponentName(id: id, dataGroup: dataGroup, file: $0) }
    }

    /// Where the file lies on a device: where it lies in the input, or below the id that was chosen for its folder.
    var path: ComponentPath? {
      guard let chosen = folder.map?.id else { return ComponentPath(file.parts.joined(separator: "/")) }
      let below = file.parts.dropFirst(folder.parts.count)
      return ComponentPath("\(chosen)/\(below.joined(separator: "/"))")
    }
  }

  /// Adds a data file of a folder.
  mutating func add(_ file: InputFile, of folder: InputFolder, path: String) throws(PublisherError) {
    let (parts, dataGroup) = try place(of: file, in: folder, path: path)
    guard let chosen = folder.map?.id else {
      guard !parts.isEmpty else { throw .input(.noDirectory(path: path)) }
      guard parts.count <= PublisherLimits.idParts else { throw .input(.tooDeep(path: path)) }
      guard let id = try id(of: parts, path: path) else { throw .input(.noPackage(path: path)) }
      files.append(Placed(file: file, folder: folder, id: id, dataGroup: dataGroup, isDerived: true))
      return
    }
    files.append(Placed(file: file, folder: folder, id: chosen, dataGroup: dataGroup, isDerived: false))
  }

  /// The names that an id is made of, and the data group.
  private func place(
    of file: InputFile, in folder: InputFolder, path: String
  ) throws(PublisherError) -> ([String], DataGroup) {
    if !folder.isDescribed, let reading = names?.read(file.parts) {
      guard let group = DataGroup(InputLayout.word(reading.dataGroup ?? DataGroup.essential.text)) else {
        throw .input(.noDataGroup(path: path))
      }
      return (reading.id, group)
    }
    guard folder.isPackage else { return (folder.parts + [file.stem], .essential) }
    return (folder.parts, try group(of: file, in: folder, path: path))
  }

  /// The id of the file that lies there, if the layout has it.
  static func id(of path: ComponentPath, by names: NameLayout) -> PackageID? {
    names.read(path.text.parts(separatedBy: "/")).flatMap { reading in
      PackageID(reading.id.map(word).joined(separator: "/"))
    }
  }

  /// The data group that `map.xml` names, or that follows from the name.
  private func group(
    of file: InputFile, in folder: InputFolder, path: String
  ) throws(PublisherError) -> DataGroup {
    let below = file.parts.dropFirst(folder.parts.count).joined(separator: "/")
    if let named = folder.map?.dataGroup(of: below, named: file.name) { return named }
    if folder.map?.isTree ?? false || folder.isBase(file.stem) { return .essential }
    guard let group = DataGroup(InputLayout.word(file.stem)) else { throw .input(.noDataGroup(path: path)) }
    return group
  }

  /// The id that follows from names; nil if it is none.
  ///
  /// Two names that give the same part are refused.
  private mutating func id(of parts: [String], path: String) throws(PublisherError) -> PackageID? {
    let words = parts.map(InputLayout.word)
    for length in 1...words.count {
      let word = words.prefix(length).joined(separator: "/")
      let name = parts.prefix(length).joined(separator: "/")
      if let other = spellings.updateValue(name, forKey: Array(word.utf8)), !Identifier.isSame(other, name) {
        throw .input(.sameID(word, other, name))
      }
    }
    return PackageID(words.joined(separator: "/"))
  }

  /// A name as part of an id: a hyphen for blanks.
  private static func word(_ name: String) -> String {
    name.split { $0 == " " || $0 == "\u{a0}" }.joined(separator: "-")
  }

  /// Moves each package that others would be below to below its own id: only leaves can be installed.
  mutating func separate() {
    for _ in 0..<PublisherLimits.idParts {
      let regions = RegionNames.above(files.map(\.id))
      var isChanged = false
      for index in files.indices where files[index].isDerived && regions.contains(files[index].id) {
        let id = files[index].id
        guard let below = PackageID("\(id)/\(id.lastPart)") else { continue }
        files[index].id = below
        isChanged = true
      }
      if !isChanged { return }
    }
  }
}
