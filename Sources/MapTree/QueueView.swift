internal import Catalog
internal import Crypto
internal import MapModel
package import Platform
internal import Store

/// What the queue is doing, or will do, with a component.
///
/// A class, because a closure uses it and it holds an open directory.
package final class QueueView {
  private let operations: [QueuedOperation]
  /// What a process is working on now.
  private let active: ActiveOperation?
  private let staging: Staging?

  /// The queue of the store at `root` at this moment.
  package init(_ root: String) throws(Failure) {
    var operations: [QueuedOperation] = []
    var active: ActiveOperation?
    let staging: Staging?
    switch try OperationQueue.open(root) {
    case .some(let queue): (operations, active) = (try queue.operations(), try queue.active())
    case .none: break
    }
    staging = try operations.isEmpty ? nil : Store.openStaging(root)
    self.operations = operations
    self.active = active
    self.staging = staging
  }

  var isEmpty: Bool { operations.isEmpty }

  /// Nil if no operation concerns the component.
  func activity(of component: ListedPackage.Component) -> Activity? {
    if let shown = active?.components.first(where: { $0.name == component.name }) { return shown.activity }
    for queued in operations {
      switch change(queued.operation, of: component) {
      case .none: continue
      case .remove: return .waiting
      case .fetch(let entry):
        return queued.number == active?.number && isStaged(entry) ? .applying : .waiting
      }
    }
    return nil
  }

  private enum Change { case none, remove, fetch(CatalogEntry) }

  /// What an operation will probably do with a component; the plan decides when the operation runs.
  private func change(_ operation: Operation, of component: ListedPackage.Component) -> Change {
    let id = component.name.id
    switch operation {
    case .update:
      guard component.isPackageInstalled, component.isSelected || component.installed != nil else {
        return .none
      }
      guard let wanted = component.newest ?? component.basis, wanted.digest != component.installed?.digest
      else { return .none }
      return .fetch(wanted)
    case .install:
      guard component.installed == nil, component.isSelected, !component.isPackageInstalled,
        operation.wants(id, isInstalled: false), let wanted = component.basis ?? component.newest
      else { return .none }
      return .fetch(wanted)
    // What is damaged is not known here, nor where the device is.
    case .repair, .area: return .none
    case .uninstall:
      guard component.installed != nil, !operation.wants(id, isInstalled: true) else { return .none }
      return .remove
    }
  }

  private func isStaged(_ entry: CatalogEntry) -> Bool {
    switch staging {
    case .some(let staging):
      do throws(Failure) { return try staging.isComplete(entry.digest, size: entry.size) } catch {
        return false
      }
    case .none: return false
    }
  }
}
