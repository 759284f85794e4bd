package import Platform

/// The maps of one release, complete, which stay as they are for as long as this value lives.
package final class HeldMaps {
  /// The number of the generation; 0 if nothing is installed.
  package let generation: UInt64
  /// The number of the release; 0 if nothing is installed.
  package let release: UInt64
  package let label: String
  package let maps: [ManifestLine]
  private let root: Directory
  private let directory: Directory

  /// Whether these are still the maps to read.
  package enum State: Equatable {
    case current
    /// Others are current.
    case replaced
    /// An update in place waits for these to be let go.
    case wanted
  }

  /// Holds what is current below `root`.
  convenience init(in root: consuming Directory) throws(Failure) {
    guard let held = try HeldGeneration.current(in: root) else {
      self.init(nothingIn: root)
      return
    }
    try self.init(held, in: root)
  }

  init(nothingIn root: consuming Directory) {
    (generation, release, label, maps) = (0, 0, "", [])
    directory = Directory()
    self.root = root
  }

  private init(_ held: consuming HeldGeneration, in root: consuming Directory) throws(Failure) {
    let content = try ManifestContent(of: held.directory)
    generation = held.number
    (release, label, maps) = (content.release, content.label, content.maps)
    directory = held.takeDirectory()
    self.root = root
  }

  /// Looks at the store: two system calls.
  package var state: State {
    do throws(Failure) {
      guard let current = try GenerationNumber.current(in: root) else {
        return generation == 0 ? .current : .replaced
      }
      if current != generation { return .replaced }
      return try root.status(of: "in-place") == nil ? .current : .wanted
    } catch { return .current }
  }

  /// The directory of the generation, in which the paths of maps are.
  package var path: String { directory.path }

  /// The place in `maps` of the first one of a package and data group; nil if there is none.
  package func firstIndex(_ id: String, _ group: String) -> Int? {
    maps.firstIndex { $0.id.utf8.elementsEqual(id.utf8) && $0.group.utf8.elementsEqual(group.utf8) }
  }

  /// The place in `maps` of the one at a path below the generation; nil if there is none.
  package func firstIndex(path: String) -> Int? { maps.firstIndex { $0.path.utf8.elementsEqual(path.utf8) } }

  /// Opens a map to read; the caller closes the descriptor.
  ///
  /// - Returns: also where its data begins: in a `.dat` file after its description, whose size it begins with
  ///   (`docs/format/catalog.md`, Component).
  package func openData(_ map: ManifestLine) throws(Failure) -> (descriptor: CInt, offset: UInt64) {
    var offset: UInt64 = 0
    if map.file == nil {
      let file = try directory.open(map.path)
      var buffer = Buffer(count: 8)
      var bytes = buffer.mutableBytes
      guard try file.read(into: &bytes, at: 0) == 8 else { throw Failure(.input, path: map.path) }
      let size = unsafe UInt64(littleEndian: buffer.bytes.unsafeLoad(fromByteOffset: 0, as: UInt64.self))
      guard size <= map.size, size + 8 <= map.size else { throw Failure(.input, path: map.path) }
      offset = 8 + size
    }
    return (try directory.openDescriptor(map.path, of: map.isDirectory ? .directory : .file), offset)
  }
}
