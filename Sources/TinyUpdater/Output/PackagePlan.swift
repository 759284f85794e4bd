internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Store
internal import Updater

/// A package of a plan, summed up from its components.
struct PackagePlan {
  private var row: Row?

  struct Component {
    let name: ComponentName
    let payload: Payload
    let options: PayloadOptions

    /// What it is made from, if that has another name.
    var otherBase: ComponentName? {
      switch payload {
      case .patch(_, let base), .chain(_, let base): base.name == name ? nil : base.name
      case .staged, .packed, .whole: nil
      }
    }
  }

  /// The figures of one package.
  struct Row {
    let id: PackageID
    var components: [Component] = []
    /// Bytes to download.
    var patchDownload: UInt64 = 0
    var fullDownload: UInt64 = 0
    /// Bytes of the new files.
    var size: UInt64 = 0
    var memory: UInt64 = 0
  }

  /// Adds a component and returns the previous package if the component begins a new one.
  mutating func add(_ entry: CatalogEntry, by payload: Payload, options: PayloadOptions) -> Row? {
    let finished = row?.id == entry.name.id ? nil : finish()
    var row = row ?? Row(id: entry.name.id)
    row.components.append(Component(name: entry.name, payload: payload, options: options))
    switch payload {
    case .patch, .chain: row.patchDownload = row.patchDownload.saturatingSum(payload.download)
    case .staged, .packed, .whole:
      row.fullDownload = row.fullDownload.saturatingSum(payload.download)
    }
    row.size = row.size.saturatingSum(entry.size)
    row.memory = max(row.memory, payload.memory)
    self.row = row
    return finished
  }

  mutating func finish() -> Row? {
    defer { row = nil }
    return row
  }
}
