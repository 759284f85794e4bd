package import Crypto
internal import MapModel
package import Platform

/// Where in a generation's manifest the components with given bytes are, whatever their names.
///
/// Sixteen bytes for each component, of as many as `StoreLimits.digests`; what is beyond them is not found.
package struct InstalledDigests {
  private struct Place: Comparable {
    /// The first bytes of the digest.
    let front: UInt64
    /// Where the line begins.
    let offset: UInt64

    static func < (a: Place, b: Place) -> Bool { a.front < b.front }
  }

  /// In order.
  private var places: [Place] = []

  /// Reads the whole manifest.
  package init(of generation: borrowing Generation) throws(Failure) {
    var manifest = try generation.manifest()
    while places.count < StoreLimits.digests {
      let offset = manifest.position
      guard let component = try manifest.next() else { break }
      places.append(Place(front: InstalledDigests.front(of: component.digest), offset: offset))
    }
    places.sort()
  }

  /// A component with these bytes; nil if there is none.
  package func component(
    with digest: Digest, in generation: borrowing Generation
  ) throws(Failure) -> InstalledComponent? {
    let front = InstalledDigests.front(of: digest)
    let start = places.partitionPoint { $0.front < front }
    for place in places[start...].prefix(while: { $0.front == front }) {
      let component = try generation.component(at: place.offset)
      if component.digest == digest { return component }
    }
    return nil
  }

  private static func front(of digest: Digest) -> UInt64 {
    var front: UInt64 = 0
    for index in 0..<8 { front = front << 8 | UInt64(digest.bytes[index]) }
    return front
  }
}

extension Generation {
  /// Gives a component's file its name in staging, too.
  package func link(_ component: InstalledComponent, to staging: borrowing Staging) throws(Failure) {
    guard component.isTree else {
      return try directory.share(component.path, with: staging.directory, as: component.digest.hex)
    }
    // The name says that all files of it are there.
    let part = Staging.part(component.digest)
    try staging.directory.removeTree(part)
    try directory.share(
      ComponentPlace(installed: component), size: component.size, with: staging.directory,
      as: ComponentPlace(staged: part, of: component))
    try staging.directory.rename(part, to: component.digest.hex)
  }

  /// The component whose line in the manifest begins there; the manifest has been read.
  fileprivate func component(at offset: UInt64) throws(Failure) -> InstalledComponent {
    let file = try directory.open(ManifestFormat.fileName)
    try file.seek(to: offset)
    let path = file.path
    var lines = LineReader(file, limit: StoreLimits.manifestLine)
    let line = try lines.next()
    let words = line?.text.parts(separatedBy: " ", limit: StoreLimits.words) ?? []
    guard let component = InstalledComponent(manifest: words) else { throw .badManifest(path: path, line: 0) }
    return component
  }
}
