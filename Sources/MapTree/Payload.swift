package import Catalog
internal import Platform
package import Store

/// The files that are downloaded for one component.
package indirect enum Payload: Equatable {
  /// None: the component is in staging, complete and verified.
  case staged
  case patch(Container, from: InstalledComponent)
  /// Several patches in sequence.
  case chain([Patch], from: InstalledComponent)
  case packed(Container)
  /// The file itself.
  case whole(url: String, size: UInt64)

  /// Bytes to download.
  package var download: UInt64 {
    switch self {
    case .staged: 0
    case .patch(let container, _), .packed(let container): container.size
    case .chain(let patches, _): patches.download
    case .whole(_, let size): size
    }
  }

  /// Bytes of memory that applying it takes.
  package var memory: UInt64 {
    switch self {
    case .staged, .whole: 0
    case .patch(let container, _), .packed(let container): container.memory
    case .chain(let patches, _): patches.reduce(0) { max($0, $1.container.memory) }
    }
  }

  /// Bytes of deflate streams that applying it compresses again.
  package var recompressed: UInt64 {
    switch self {
    case .staged, .whole: 0
    case .patch(let container, _), .packed(let container): container.recompressed
    case .chain(let patches, _): patches.reduce(0) { $0.saturatingSum($1.container.recompressed) }
    }
  }

  /// The installed component that the first patch applies to.
  package var base: InstalledComponent? {
    switch self {
    case .patch(_, let base), .chain(_, let base): base
    case .staged, .packed, .whole: nil
    }
  }

  /// "staged", "patch", "chain" or "full".
  package var method: String {
    switch self {
    case .staged: "staged"
    case .patch: "patch"
    case .chain: "chain"
    case .packed, .whole: "full"
    }
  }
}
