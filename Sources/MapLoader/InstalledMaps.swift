internal import MapReading
internal import Platform

/// The maps of one release, complete, which stay as they are for as long as this lives (`docs/readers.md`).
public final class InstalledMaps: @unchecked Sendable {
  /// The release; nil if nothing is installed.
  public let release: MapRelease?
  /// Every map, in the order of ids and data groups.
  public let maps: [InstalledMap]
  private let held: HeldMaps
  private let engine: Engine

  init(_ held: HeldMaps, _ engine: Engine) {
    self.held = held
    self.engine = engine
    release = MapRelease(number: held.release, label: held.label)
    maps = held.maps.enumerated().map { InstalledMap($1, at: $0) }
  }

  deinit { if held.state == .wanted { engine.letGo(of: held.generation) } }

  /// Whether these are still the maps to read.
  public enum State: Sendable {
    case current
    /// Others are current: hold those, then let go of these.
    case replaced
    /// An update in place waits 15 seconds for these: close everything and let go, and hold again after the next `maps`.
    case wanted
  }

  /// Whether these are still the maps to read: two system calls.
  public var state: State {
    switch held.state {
    case .current: .current
    case .replaced: .replaced
    case .wanted: .wanted
    }
  }

  /// The first map of a package and data group; nil if there is none.
  public subscript(id: String, group: String) -> InstalledMap? {
    maps.first { $0.id == id && $0.group == group }
  }

  /// The map at a path below the generation; nil if there is none.
  public subscript(path path: String) -> InstalledMap? { held.firstIndex(path: path).map { maps[$0] } }

  /// The directory in which the paths of maps are.
  public var directory: String { held.path }

  /// The path of a map, for libraries that want one; it is good for as long as the maps are held.
  public func path(of map: InstalledMap) -> String { "\(directory)/\(map.path)" }

  /// Opens a map to read; the caller closes the descriptor.
  ///
  /// - Returns: also where its data begins: after the description in a `.dat` file, else 0.
  public func open(_ map: InstalledMap) throws(MapError) -> (descriptor: Int32, offset: UInt64) {
    guard held.maps.indices.contains(map.position), held.maps[map.position].path == map.path else {
      throw MapError(.invalidParameters, "\(map.path) is a map of another release")
    }
    do throws(Failure) { return try held.openData(held.maps[map.position]) } catch { throw MapError(error) }
  }
}

/// A map of a release that is held.
public struct InstalledMap: Sendable, Hashable {
  /// Its package.
  public let id: String
  /// Its data group.
  public let group: String
  /// Below the generation, such as `maps/europe/malta/base.mbtiles`.
  public let path: String
  /// The number of the release that last changed it.
  public let release: UInt64
  /// Bytes.
  public let size: UInt64
  /// SHA-256 in 64 digits: the same map has the same one in every release.
  public let digest: String
  /// It is many small files, and `path` is their directory.
  public let isDirectory: Bool
  let position: Int

  init(_ line: ManifestLine, at position: Int) {
    id = line.id
    group = line.group
    path = line.path
    release = line.release
    size = line.size
    digest = line.digest
    isDirectory = line.isDirectory
    self.position = position
  }
}
