package import Catalog
package import MapModel
internal import Platform
package import Store

/// Why the map tree cannot be shown, or the selection of data groups cannot be changed.
package indirect enum MapTreeError: Error, Equatable {
  case catalog(CatalogError)
  case store(StoreError)
  /// The catalog at `path` is of another release than the store says.
  case wrongRelease(path: String)
  /// A part of the catalog that lists installed packages, from this one on, is lost.
  case lostPart(first: PackageID)
  /// The catalog has no such packages or regions.
  case unknownPackages([PackageID])
  /// The tree does not fit into memory.
  case tooManyRegions(limit: Int)
  /// The catalog names more data groups than a device accepts.
  case tooManyGroups
  /// `known`: the data groups of the catalog.
  case unknownGroups([DataGroup], known: [DataGroup])
  /// The data group cannot be deselected.
  case fixedGroup(DataGroup)
  case cancelled

  package init(_ error: CatalogError) { self = .catalog(error) }

  /// Being cancelled is `cancelled`, whichever module was interrupted.
  package init(_ error: StoreError) { self = error == .cancelled ? .cancelled : .store(error) }

  /// What happened, to which file or name, and what to do next.
  package var sentence: String {
    switch self {
    case .catalog(let error): error.sentence
    case .store(let error): error.sentence
    case .wrongRelease(let path):
      "\(path) is the catalog of another release than announced; nothing was changed, tell the publisher"
    case .lostPart(let first):
      "the part of the catalog that begins with \(first) is lost; \"tinyupdater repair\" fetches it again"
    case .unknownPackages(let ids):
      "the catalog has no package or region \(ids.map { $0.text }.listed); \"tinyupdater list\" shows what there is"
    case .tooManyRegions(let limit):
      "the catalog has more than the \(limit) regions that fit into memory; show fewer levels with --depth, or one "
        + "region by its id"
    case .tooManyGroups:
      "the catalog names more than \(MapTreeLimits.dataGroups) data groups; tell the publisher"
    case .unknownGroups(let groups, let known):
      "there is no data group \(groups.map { $0.text }.listed); the data groups are \(known.map { $0.text }.listed)"
    case .fixedGroup(let group):
      "\(group) cannot be deselected: every package needs it, or too many are deselected already"
    case .cancelled: "cancelled; nothing was changed"
    }
  }
}
