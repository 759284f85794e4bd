internal import Catalog
package import MapModel

/// The contents of a release, without making it.
package struct ReleasePreview: Sendable {
  package let release: Release
  /// The previously newest release; nil for the first.
  package let previous: Release?
  /// In order of their names.
  package let components: [Component]
  /// Components of the previous release that are not in this one.
  package let gone: [ComponentName]
  /// The packages among them.
  package let lost: LostPackages
  /// Why the release would be refused, because of these; nil: it would not.
  package let refusal: PublisherError?
  /// Bytes that making it would take on the file system of the repository, which are there.
  package let space: UInt64

  package struct Component: Sendable {
    package let name: ComponentName
    /// The file of the input, below that.
    package let input: String
    /// In bytes.
    package let size: UInt64
    /// The size of the component of the same name in the previous release; nil without one.
    package let previousSize: UInt64?
    package let isUnchanged: Bool
  }

  init(
    release: Release, previous: Release?, input: String, components: [HashedComponent], gone: [ComponentName],
    lost: LostPackages, refusal: PublisherError?, space: SpaceEstimate
  ) {
    self.release = release
    self.previous = previous
    let front = PathParts.withoutTrailingSlash(input) + "/"
    self.components = components.map {
      Component(
        name: $0.description.name,
        input: $0.input.path.hasPrefix(front) ? String($0.input.path.dropFirst(front.count)) : $0.input.path,
        size: $0.size, previousSize: $0.previous?.size,
        isUnchanged: $0.isUnchanged)
    }
    self.gone = gone
    self.lost = lost
    self.refusal = refusal
    self.space = space.needed
  }
}
