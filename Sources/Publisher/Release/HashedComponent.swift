internal import Catalog
internal import CatalogWriting
internal import Crypto
internal import MapModel

/// A component of the new release, before anything of it is written.
struct HashedComponent: Sendable {
  let input: InputComponent
  /// With the release that last changed it.
  let description: Description
  let size: UInt64
  let digest: Digest
  /// The same name in the newest release that is served.
  let previous: CatalogEntry?

  /// Devices of the newest release have it already.
  var isUnchanged: Bool { previous?.digest == digest }
  var url: String { "components/\(digest.hex).dat" }
}

extension HashedComponent {
  /// Reads a data file and finds out whether its component is new.
  ///
  /// A component whose data and description equal the previous one's keeps its file byte for byte, the
  /// number and label of the release that made it included.
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
