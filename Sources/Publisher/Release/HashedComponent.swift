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
  /// Of the bytes before those of the input's file.
  let frontDigest: Digest
  /// It was made of this input before, and its file is durable if it has not changed since then, in nanoseconds since
  /// 1970; nil: it was not.
  let durableSince: Int64?

  /// Devices with the newest release already have it.
  var isUnchanged: Bool { previous?.digest == digest }
  var url: String { "components/\(digest.hex).dat" }
  /// Bytes before those of the input's file.
  private var frontSize: UInt64 { input.kind == .wrapped ? size - description.dataSize : 0 }
  /// The bytes before those of the input's file.
  var front: [UInt8] {
    if let treeFront { return treeFront }
    return frontSize == 0 ? [] : ComponentFile.front(of: description, filledTo: Int(frontSize))
  }
  /// The front of a component that consists of many files.
  private let treeFront: [UInt8]?
  /// Its file could share blocks with the input's, on a file system that can do that.
  var isShareable: Bool { treeFront == nil && frontSize % UInt64(InputComponent.block) == 0 }
}

extension HashedComponent {
  /// Hashes a data file, and determines whether its component is new.
  ///
  /// A component whose data and description equal the previous one's keeps its file byte for byte, including the
  /// number and label of the release that made it.
  ///
  /// - `isAligned`: if it is new, its data begin with a block of the file system.
  /// - `known`: a file that made the previous component, and has not changed since, is not read.
  init(
    _ input: InputComponent, previous: CatalogEntry?, release: Release, isAligned: Bool = false,
    known: KnownInputs = KnownInputs()
  ) throws(PublisherError) {
    self.input = input
    self.previous = previous
    if let released = input.released {
      (size, digest, description) = (released.size, released.digest, input.description)
      treeFront = nil
      frontDigest = try HashedComponent.digest(of: [], path: input.path)
      (version, durableSince) = (nil, nil)
      return
    }
    if let tree = input.tree {
      let front = try tree.front()
      let found = try FileDigest.of(tree, front: front)
      (size, digest) = (found.size, found.digest)
      description = found.digest == previous?.digest ? input.description(as: previous) : input.description
      treeFront = front
      frontDigest = try HashedComponent.digest(of: front, path: input.path)
      (version, durableSince) = (nil, nil)
      return
    }
    let begun = Clock.now
    treeFront = nil
    let version = try HashedComponent.version(of: input)
    let front = input.front(release, isAligned: isAligned)
    let frontDigest = try HashedComponent.digest(of: front, path: input.path)
    if let made = known[version], made.front == frontDigest, made.digest != previous?.digest {
      // A plan has read it for this release.
      (description, digest) = (input.description, made.digest)
      size = input.size(after: front)
      (self.frontDigest, durableSince) = (frontDigest, known.written)
    } else if let same = try HashedComponent.same(input, as: previous, of: version, known: known) {
      (description, size, digest) = (input.description(as: same), same.size, same.digest)
      let front =
        input.kind == .wrapped
        ? ComponentFile.front(of: same.description, filledTo: Int(same.size - same.description.dataSize)) : []
      self.frontDigest = try HashedComponent.digest(of: front, path: input.path)
      durableSince = nil
    } else {
      let found = try FileDigest.of(input.file, front: front)
      guard found.size == input.size(after: front) else { throw .input(.changedWhileRead(path: input.path)) }
      (size, digest) = (found.size, found.digest)
      description = found.digest == previous?.digest ? input.description(as: previous) : input.description
      (self.frontDigest, durableSince) = (frontDigest, nil)
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
    if input.kind == .wrapped {
      // Huge if the entry is smaller than its data.
      let frontSize = previous.size &- previous.description.dataSize
      guard frontSize <= 8 + CatalogLimits.description else { return nil }
      let front = ComponentFile.front(of: previous.description)
      guard input.front(previous.description.release) == front else { return nil }
      if known[version]?.digest == previous.digest { return previous }
      let filled = ComponentFile.front(of: previous.description, filledTo: Int(frontSize))
      let found = try FileDigest.of(input.file, front: filled)
      return found == FileDigest(size: previous.size, digest: previous.digest) ? previous : nil
    }
    return known[version]?.digest == previous.digest ? previous : nil
  }

  private static func digest(of front: [UInt8], path: String) throws(PublisherError) -> Digest {
    do throws(HasherError) { return try Hasher.digest(of: front.span.bytes) } catch {
      throw .library(.hashing(path: path))
    }
  }

  /// Seconds for which a file may change again without another time: clocks of file systems tick coarsely.
  private static var unsettled: Int64 { 3 }

  private static func version(of input: InputComponent) throws(PublisherError) -> FileVersion {
    try onFile { () throws(Failure) in try File(opening: input.file).version() }
  }
}
