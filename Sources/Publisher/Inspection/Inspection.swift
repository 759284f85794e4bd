package import Catalog
package import CatalogWriting
package import Crypto
internal import MapModel
internal import Platform

/// A file of a repository or its input, read for display.
package enum Inspection: Sendable {
  case component(ComponentFile, size: UInt64, digest: Digest)
  /// A component that is map data and nothing else.
  case plain(size: UInt64, digest: Digest)
  case catalog(CatalogDocument)
  case map(MapFile)
  case patch(PatchInspection)
  case metadata(MetadataInspection)

  /// Recognises a file by its content, and a plain component by its name in a repository.
  ///
  /// A digest at the beginning of the name must be that of the file.
  package init(of path: String) throws(PublisherError) {
    let name = PathParts(of: path).name.parts(separatedBy: ".", limit: 2)
    let isComponent = name.count == 2 && Digest(hex: name[0]) != nil && name[1] == "dat"
    self = try isComponent ? Inspection.stored(path) : Inspection.recognise(path)
    guard name.count == 2, let expected = Digest(hex: name[0]) else { return }
    let found: Digest
    switch self {
    case .component(_, _, let digest), .plain(_, let digest): found = digest
    case .patch(let patch): found = patch.headDigest
    case .catalog: found = try FileDigest.of(path).digest
    case .map, .metadata: return
    }
    guard found == expected else { throw .inspection(.misnamed(path: path)) }
  }

  /// A component of a repository.
  private static func stored(_ path: String) throws(PublisherError) -> Inspection {
    let front = try Inspection.front(of: path)
    if front.count > 8, Inspection.isXML(Array(front[8...])) { return try component(path) }
    let found = try FileDigest.of(path)
    return .plain(size: found.size, digest: found.digest)
  }

  private static func recognise(_ path: String) throws(PublisherError) -> Inspection {
    let front = try Inspection.front(of: path)
    if front.starts(with: Inspection.xz) {
      return try catalog(path)
    } else if front.starts(with: Inspection.patch) {
      return .patch(try PatchInspection(of: path))
    } else if front.first == UInt8(ascii: "{") {
      return .metadata(try MetadataInspection(of: path))
    } else if Inspection.isXML(front) {
      return try document(path)
    } else if front.count > 8, Inspection.isXML(Array(front[8...])) {
      return try component(path)
    } else {
      throw .inspection(.unknownFormat(path: path))
    }
  }

  /// The first bytes of an `.xz` file.
  private static var xz: [UInt8] { [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] }

  /// The first bytes of a patch.
  private static var patch: [UInt8] { Array("TUP".utf8) }

  private static func front(of path: String) throws(PublisherError) -> [UInt8] {
    let file = try onOperand { () throws(OperandError) in try File(readingAnywhere: path) }
    return try onFile { () throws(Failure) in
      var bytes = [UInt8](repeating: 0, count: 16)
      var span = bytes.mutableSpan
      var space = span.mutableBytes
      let count = try file.read(into: &space, at: 0)
      return Array(bytes[..<count])
    }
  }

  /// Begins with a tag, perhaps after a byte order mark or blank lines.
  private static func isXML(_ bytes: [UInt8]) -> Bool {
    let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
    return text.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "<")
  }

  private static func component(_ path: String) throws(PublisherError) -> Inspection {
    let found = try FileDigest.of(path)
    let component = try reading(path) { (file) throws(CatalogError) in
      try ComponentFile.read(file, detail: .full)
    }
    return .component(component, size: found.size, digest: found.digest)
  }

  private static func document(_ path: String) throws(PublisherError) -> Inspection {
    let root = try reading(path) { (file) throws(CatalogError) in
      try DocumentRoot.name(of: FileSource(file), path: path)
    }
    switch root {
    case "catalog", "part":
      return try reading(path) { (file) throws(CatalogError) in
        .catalog(try CatalogDocument(FileSource(file), path: path, isPart: root == "part"))
      }
    case "map":
      return try reading(path) { (file) throws(CatalogError) in
        .map(try MapFile(FileSource(file), path: path))
      }
    default: throw .inspection(.unknownFormat(path: path))
    }
  }

  private static func catalog(_ path: String) throws(PublisherError) -> Inspection {
    let root = try reading(path) { (file) throws(CatalogError) in
      try DocumentRoot.name(of: XZSource(file), path: path)
    }
    return try reading(path) { (file) throws(CatalogError) in
      .catalog(try CatalogDocument(XZSource(file), path: path, isPart: root == "part"))
    }
  }

  private static func reading<Result>(
    _ path: String, _ body: (consuming File) throws(CatalogError) -> Result
  ) throws(PublisherError) -> Result {
    let file = try onFile { () throws(Failure) in try File(opening: path) }
    do throws(CatalogError) { return try body(file) } catch { throw .input(.rejected(error)) }
  }
}
