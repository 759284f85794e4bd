internal import Platform
package import Store

/// What is said of a package, or of all packages of a region together.
package struct NodeSums: Equatable {
  /// Bytes of all components that the release has.
  package var size: UInt64 = 0
  /// Bytes of those that are installed.
  package var installedSize: UInt64 = 0
  /// Bytes on the wire of the selected data groups, without patches.
  package var download: UInt64 = 0
  /// Bytes on the wire to bring what is installed to the newest known release and the selection.
  package var updateDownload: UInt64 = 0
  /// Bytes that indexes will need on the device, by the publisher's estimate.
  package var indexSize: UInt64 = 0
  package var packages: UInt32 = 0
  /// Packages of which everything that is selected is installed, as it should be.
  package var installed: UInt32 = 0
  /// Packages of which something is installed.
  package var touched: UInt32 = 0
  package var inconsistent: UInt32 = 0
  /// Packages with an update.
  package var updates: UInt32 = 0
  /// What happens to it just now: of several things the one that is worked on, rather than one that waits or is finished.
  package var activity: Activity?

  package init() {}

  mutating func add(_ other: NodeSums) {
    size = size.saturatingSum(other.size)
    installedSize = installedSize.saturatingSum(other.installedSize)
    download = download.saturatingSum(other.download)
    updateDownload = updateDownload.saturatingSum(other.updateDownload)
    indexSize = indexSize.saturatingSum(other.indexSize)
    packages = packages.saturatingSum(other.packages)
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

  /// What can be done with it.
  package var actions: [NodeAction] {
    if activity != nil { return [.cancel] }
    var actions: [NodeAction] = []
    if touched < packages { actions.append(.install) }
    if updates > 0 || inconsistent > 0 { actions.append(.update) }
    if touched > 0 { actions.append(.uninstall) }
    return actions
  }
}

/// How much of a node is installed.
package enum InstallState: Equatable {
  case installed, partiallyInstalled, notInstalled
  /// Other data groups than the selected ones are installed, or a file is missing or has the wrong size.
  case inconsistent

  /// As in JSON.
  package var word: String {
    switch self {
    case .installed: "installed"
    case .partiallyInstalled: "partiallyInstalled"
    case .notInstalled: "notInstalled"
    case .inconsistent: "inconsistent"
    }
  }
}

/// What a node allows, in the words of the commands.
package enum NodeAction: Equatable {
  case install, update, uninstall, cancel

  package var word: String {
    switch self {
    case .install: "install"
    case .update: "update"
    case .uninstall: "uninstall"
    case .cancel: "cancel"
    }
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
