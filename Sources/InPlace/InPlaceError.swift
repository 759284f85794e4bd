package import Catalog
package import DeltaApply
package import Platform
package import Store

/// Why an update in place stopped, or cannot make a component.
package indirect enum InPlaceError: Error, Equatable {
  case store(StoreError)
  /// A container could not be applied, for a reason that says nothing about the files.
  case delta(DeltaError, url: String)
  /// What the update says of itself is lost.
  case damagedJournal(path: String)
  /// A payload of the component that is made is not stored any more; nil: a whole file. What it is made from is as it was.
  case payloadLost(Container?)
  /// A container is as the publisher signed it and makes another file than the catalog lists.
  case unusable(Container)
  /// What the component is made from is lost: storage has changed it, or cannot read it.
  case baseLost

  package init(_ error: FileError) { self = .store(.file(error)) }

  package init(_ error: StoreError) {
    self =
      switch error {
      case .badManifest(let path, _): .damagedJournal(path: path)
      default: .store(error)
      }
  }
}
