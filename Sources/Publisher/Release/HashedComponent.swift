internal import Catalog
internal import CatalogWriting
internal import Crypto
internal import MapModel
internal import Platform

/// A component of the new release, hashed before anything is written.
struct HashedComponent: Sendable {
  let input: InputComponent
  /// Its release is the one that last changed it.
  let description: Description
  let size: UInt64
  let digest: Digest
  /// The component of the same name in the newest served release.
  let previous: CatalogEntry?
  /// The version of the data file, if it can be recognized by that.
  let version: FileVersion?

  /// Devices with the newest release already have it.
  var isUnchanged: Bool { previous?.digest == digest }
  var url: String { "components/\(digest.hex).dat" }
}

extension HashedComponent {
  /// Hashes a data file, and determines whether its component is new.
  ///
  /// A component whose data and description equal the previous one's keeps its file byte for byte, including the
  /// number and label of the release that made it.
  ///
  /// - `known`: a file that made the previous component, and has not changed since, is not read.
  init(
    _ input: InputComponent, previous: CatalogEntry?, release: Release, known: KnownInputs = KnownInputs()
  ) throws(PublisherError) {
    let begun = Clock.now
    let version = try HashedComponent.version(of: input)
    self.input = input
    self.previous = previous
    if let same = try HashedComponent.same(input, as: previous, of: version, known: known) {
      (description, size, digest) = (same.description, same.size, same.digest)
    } else {
      let front = input.front(release)
      let found = try FileDigest.of(input.file, front: front)
      let expected: UInt64
      switch input.kind {
      case .data: expected = UInt64(front.count) + input.description.dataSize
      case .ready(let size): expected = size
      }
      guard found.size == expected else { throw .input(.changedWhileRead(path: input.path)) }
      (description, size, digest) = (input.description, found.size, found.digest)
    }
    let isSettled = version.changed < (begun - HashedComponent.unsettled) * 1_000_000_000
    let isSame = try HashedComponent.version(of: input) == version
    self.version = isSettled && isSame ? version : nil
  }

  /// The previous component, if the input makes the same again.
  private static func same(
    _ input: InputComponent, as previous: CatalogEntry?, of version: FileVersion, known: KnownInputs
  ) throws(PublisherError) -> CatalogEntry? {
    guard let previous else { return nil }
    if input.kind == .data {
      let front = input.front(previous.description.release)
      guard front == ComponentFile.front(of: previous.description) else { return nil }
      if known[version] == previous.digest { return previous }
      let found = try FileDigest.of(input.file, front: front)
      return found == FileDigest(size: previous.size, digest: previous.digest) ? previous : nil
    }
    return known[version] == previous.digest ? previous : nil
  }

  /// Seconds for which a file may change again without another time: clocks of file systems tick coarsely.
  private static var unsettled: Int64 { 3 }

  private static func version(of input: InputComponent) throws(PublisherError) -> FileVersion {
    try onFile { () throws(FileError) in try File(opening: input.file).version() }
  }
}
