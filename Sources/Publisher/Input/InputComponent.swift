internal import Catalog
internal import CatalogWriting
internal import MapModel

/// A data file of the input, and the description that its component will have.
struct InputComponent: Sendable {
  /// The path of the file, as the user wrote it; below that of an archive, its name in there.
  let path: String
  /// Where it is read: `path`, or where the archive was unpacked.
  let file: String
  let kind: Kind
  let description: Description

  /// Its files, if it consists of many.
  var tree: TreeInput? {
    if case .tree(let tree) = kind { tree } else { nil }
  }

  /// The component of an older release, if it is one.
  var released: CatalogEntry? {
    if case .released(let entry) = kind { entry } else { nil }
  }

  /// How many files it consists of; nil: it is one.
  var fileCount: UInt64? { released?.files ?? tree.map { UInt64($0.files.count) } }

  /// It is not a component yet.
  var isData: Bool { kind == .plain || kind == .wrapped }

  /// The content of the file.
  enum Kind: Equatable {
    /// Data, which is the component.
    case plain
    /// Data, which gets a description before it.
    case wrapped
    /// Many files, which are one component.
    case tree(TreeInput)
    /// A finished component, published as it is.
    case ready(size: UInt64)
    /// A component of an older release, which the repository has.
    case released(CatalogEntry)
  }

  /// The bytes before the file's own in the component of `release`.
  ///
  /// - `isAligned`: the file's bytes begin with a block, so that they can share blocks with the file. Not in a small
  ///   component, which that would make much larger.
  func front(_ release: Release, isAligned: Bool = false) -> [UInt8] {
    guard kind == .wrapped else { return [] }
    var description = description
    description.release = release
    let front = ComponentFile.front(of: description)
    guard isAligned, description.dataSize >= InputComponent.leastShared else { return front }
    let size = (front.count + InputComponent.block - 1) / InputComponent.block * InputComponent.block
    guard UInt64(size) - 8 <= CatalogLimits.description else { return front }
    return ComponentFile.front(of: description, filledTo: size)
  }

  /// The description where the component is the one that `previous` lists: the release that last changed it stays.
  func description(as previous: CatalogEntry?) -> Description {
    guard let previous, kind != .wrapped else { return previous?.description ?? description }
    var description = description
    if kind == .plain || tree != nil { description.release = previous.description.release }
    return description
  }

  /// The bytes of the component with `front` before those of the file.
  func size(after front: [UInt8]) -> UInt64 {
    switch kind {
    case .plain, .wrapped: UInt64(front.count) + description.dataSize
    case .tree(let tree): tree.size
    case .ready(let size): size
    case .released(let entry): entry.size
    }
  }

  /// The bytes of a block of most file systems that can share blocks.
  static var block: Int { 4096 }
  /// The bytes of the smallest data that are to share blocks.
  private static var leastShared: UInt64 { 64 << 10 }
}
