internal import Catalog
internal import MapModel
internal import Platform
internal import Store

/// The listing's entry for a package, accumulated from its components.
struct ListedPackage {
  let id: PackageID
  /// The listed release has the package; otherwise only the newest known release does.
  private let isInBasis: Bool
  let isInstalled: Bool
  private(set) var names: [LocalizedName] = []
  private(set) var bounds: Bounds?
  private(set) var isDetail = false
  private(set) var groups: [DataGroup] = []
  private(set) var files: [ComponentPath] = []
  private(set) var sums = NodeSums()
  private var hasNames = false
  /// Components that are installed as selected, that are missing, and that should not be installed.
  private var (correct, missing, surplus) = (0, 0, 0)
  private var isDamaged = false

  /// One component in the two catalogs and the manifest.
  struct Component {
    let name: ComponentName
    let basis: CatalogEntry?
    let newest: CatalogEntry?
    let installed: InstalledComponent?
    /// Some component of its package is installed.
    let isPackageInstalled: Bool
    /// Its file exists and has the right size, and was not found damaged.
    let isWhole: Bool
    let isSelected: Bool
  }

  init(_ id: PackageID, isInBasis: Bool, isInstalled: Bool) {
    self.id = id
    self.isInBasis = isInBasis
    self.isInstalled = isInstalled
    sums.packages = 1
    sums.touched = isInstalled ? 1 : 0
  }

  /// Only the newest known release has the package.
  var isNew: Bool { !isInBasis && !isInstalled }

  /// - `memory`: bytes of memory that applying a container may take.
  mutating func add(_ component: Component, memory: UInt64) {
    let listed = isInBasis ? component.basis : component.newest
    if let listed { add(listed, isSelected: component.isSelected, memory: memory) }
    if let installed = component.installed {
      if files.count < MapTreeLimits.files { files.append(installed.name.file) }
      sums.installedSize = sums.installedSize.saturatingSum(installed.size)
      if !component.isWhole { isDamaged = true }
      if component.isSelected && listed != nil { correct += 1 } else { surplus += 1 }
      guard let newest = component.newest, newest.digest != installed.digest else { return }
      addUpdate(PayloadOptions(newest, installed: installed, memory: memory).cheapest)
    } else if isInstalled && component.isSelected {
      if component.basis != nil { missing += 1 }
      guard let wanted = component.newest ?? listed else { return }
      let payload = PayloadOptions(wanted, installed: nil, memory: memory).full
      if component.basis == nil {
        addUpdate(payload)
      } else {
        sums.updateDownload = sums.updateDownload.saturatingSum(payload.download)
      }
    }
  }

  private mutating func add(_ listed: CatalogEntry, isSelected: Bool, memory: UInt64) {
    if !hasNames {
      names = listed.description.geography.names
      bounds = listed.description.geography.bounds
      isDetail = listed.description.isDetail
      hasNames = true
    }
    let group = listed.name.dataGroup
    if groups.last != group && groups.count < MapTreeLimits.dataGroups { groups.append(group) }
    sums.size = sums.size.saturatingSum(listed.size)
    sums.indexSize = sums.indexSize.saturatingSum(listed.description.indexSize)
    guard isSelected else { return }
    sums.download = sums.download.saturatingSum(
      PayloadOptions(listed, installed: nil, memory: memory).full.download)
  }

  private mutating func addUpdate(_ payload: Payload) {
    sums.updates = 1
    sums.updateDownload = sums.updateDownload.saturatingSum(payload.download)
  }

  mutating func note(_ activity: Activity?) { sums.note(activity) }

  /// Decides the state of the package after its last component.
  ///
  /// A package without any selected component keeps the components that it has.
  mutating func finish() {
    guard isInstalled else { return }
    let isConsistent = !isDamaged && missing == 0 && (surplus == 0 || correct == 0)
    sums.installed = isConsistent ? 1 : 0
    sums.inconsistent = isConsistent ? 0 : 1
  }
}
