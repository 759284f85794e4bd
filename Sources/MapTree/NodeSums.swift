internal import Catalog
internal import Platform
package import Store

/// The figures of a package, or of all packages of a region together.
package struct NodeSums: Equatable {
  /// Bytes of all components in the release.
  package var size: UInt64 = 0
  /// Bytes of the installed components.
  package var installedSize: UInt64 = 0
  /// Bytes to download for the selected data groups, without patches.
  package var download: UInt64 = 0
  /// Bytes to download to bring the installed components to the newest known release and the selection.
  package var updateDownload: UInt64 = 0
  /// Bytes that indexes will need on the device, as the publisher estimates.
  package var indexSize: UInt64 = 0
  package var packages: UInt32 = 0
  /// Packages in parts of the catalog that are not on this device.
  package var unlisted: UInt32 = 0
  /// Packages with every selected component installed and intact.
  package var installed: UInt32 = 0
  /// Packages with something installed.
  package var touched: UInt32 = 0
  package var inconsistent: UInt32 = 0
  /// Packages with an update.
  package var updates: UInt32 = 0
  /// What an operation is doing with it now; of several activities, the one in progress before one that waits.
  package var activity: Activity?

  package init() {}

  /// What a catalog says of the packages in a part that is not on this device.
  init(_ part: CatalogPart, selection: DataGroups) {
    (packages, unlisted) = (part.packages, part.packages)
    for group in part.groups {
      size = size.saturatingSum(group.size)
      indexSize = indexSize.saturatingSum(group.indexSize)
      if selection.isSelected(group.name) { download = download.saturatingSum(group.download) }
    }
  }

  mutating func add(_ other: NodeSums) {
    size = size.saturatingSum(other.size)
    installedSize = installedSize.saturatingSum(other.installedSize)
    download = download.saturatingSum(other.download)
    updateDownload = updateDownload.saturatingSum(other.updateDownload)
    indexSize = indexSize.saturatingSum(other.indexSize)
    packages = packages.saturatingSum(other.packages)
    unlisted = unlisted.saturatingSum(other.unlisted)
    installed = installed.saturatingSum(other.installed)
    touched = touched.saturatingSum(other.touched)
    inconsistent = inconsistent.saturatingSum(other.inconsistent)
    updates = updates.saturatingSum(other.updates)
    note(other.activity)
  }

  mutating func note(_ other: Activity?) {
    guard let other else { return }
    if other.rank > activity?.rank ?? 0 { activity = other }
  }

  package var state: InstallState {
    if inconsistent > 0 { return .inconsistent }
    if touched == 0 { return .notInstalled }
    return installed == packages ? .installed : .partiallyInstalled
  }

  /// The operations that the node allows.
  package var actions: [NodeAction] {
    if activity != nil { return [.cancel] }
    var actions: [NodeAction] = []
    if touched < packages { actions.append(.install) }
    if updates > 0 || inconsistent > 0 { actions.append(.update) }
    if touched > 0 { actions.append(.uninstall) }
    return actions
  }
}

extension Activity {
  fileprivate var rank: Int {
    switch self {
    case .waiting: 1
    case .applying: 2
    case .indexing: 3
    case .downloading: 4
    }
  }
}
