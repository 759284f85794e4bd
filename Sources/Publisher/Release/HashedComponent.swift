internal import Catalog
internal import CatalogWriting
internal import Crypto
internal import MapModel

/// A component of the new release, hashed before anything is written.
struct HashedComponent: Sendable {
  let input: InputComponent
  /// Its release is the one that last changed it.
  let description: Description
  let size: UInt64
  let digest: Digest
  /// The component of the same name in the newest served release.
  let previous: CatalogEntry?

  /// Devices with the newest release already have it.
  var isUnchanged: Bool { previous?.digest == digest }
  var url: String { "components/\(digest.hex).dat" }
}

extension HashedComponent {
  /// Hashes a data file, and determines whether its component is new.
  ///
  /// A component whose data and description equal the previous one's keeps its file byte for byte, including the
  /// number and label of the release that made it.
  init(
    _ input: InputComponent, previous: CatalogEntry?, release: Release
  ) throws(PublisherError) {
    self.input = input
    self.previous = previous
    if let previous, input.kind == .data,
      input.front(previous.description.release) == ComponentFile.front(of: previous.description)
    {
      let same = try FileDigest.of(input.path, front: input.front(previous.description.release))
      if same == FileDigest(size: previous.size, digest: previous.digest) {
        description = previous.description
        size = same.size
        digest = same.digest
        return
      }
    }
    let front = input.front(release)
    let found = try FileDigest.of(input.path, front: front)
    let expected: UInt64
    switch input.kind {
    case .data: expected = UInt64(front.count) + input.description.dataSize
    case .ready(let size): expected = size
    }
    guard found.size == expected else { throw .input(.changedWhileRead(path: input.path)) }
    description = input.description
    size = found.size
    digest = found.digest
  }
}
