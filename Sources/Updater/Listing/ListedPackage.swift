internal import Catalog
internal import MapModel
internal import Platform
internal import Store

/// A package in the making of a list: what its components come to, one after the other.
struct ListedPackage {
  let id: String
  /// The installed release has it; if not, the newest known one.
  private let isInBasis: Bool
  let isInstalled: Bool
  private(set) var names: [LocalizedName] = []
  private(set) var isDetail = false
  private(set) var groups: [String] = []
  private(set) var sums = NodeSums()
  private var hasNames = false
  /// Components that are installed as they should be, that are missing, and that should not be there.
  private var (right, missing, extra) = (0, 0, 0)
  private var isDamaged = false

  /// What the three lists say of one component.
  struct Component {
    let name: ComponentName
    let basis: CatalogEntry?
    let newest: CatalogEntry?
    let installed: InstalledComponent?
    /// Something of its package is installed.
    let isPackageInstalled: Bool
    /// Its file is there and has the right size.
    let isWhole: Bool
    let isSelected: Bool
  }

  init(_ id: String, isInBasis: Bool, isInstalled: Bool) {
    self.id = id
    self.isInBasis = isInBasis
    self.isInstalled = isInstalled
    sums.packages = 1
    sums.touched = isInstalled ? 1 : 0
  }

  /// The newest known release alone has it.
  var isNew: Bool { !isInBasis && !isInstalled }

  /// `memory`: bytes that applying a container may take.
  mutating func add(_ component: Component, memory: UInt64) {
    let listed = isInBasis ? component.basis : component.newest
    if let listed { add(listed, isSelected: component.isSelected, memory: memory) }
    if let installed = component.installed {
      sums.installedSize = sums.installedSize.saturatingSum(installed.size)
      if !component.isWhole { isDamaged = true }
      if component.isSelected && listed != nil { right += 1 } else { extra += 1 }
      guard let newest = component.newest, newest.digest != installed.digest else { return }
      addUpdate(Ways(newest, installed: installed, memory: memory).best)
    } else if isInstalled && component.isSelected {
      if component.basis != nil { missing += 1 }
      guard let wanted = component.newest ?? listed else { return }
      let payload = Ways(wanted, installed: nil, memory: memory).full
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
      isDetail = listed.description.isDetail
      hasNames = true
    }
    if groups.count < Limits.dataGroups { groups.append(listed.name.dataGroup) }
    sums.size = sums.size.saturatingSum(listed.size)
    sums.indexSize = sums.indexSize.saturatingSum(listed.description.indexSize)
    guard isSelected else { return }
    sums.download = sums.download.saturatingSum(Ways(listed, installed: nil, memory: memory).full.download)
  }

  private mutating func addUpdate(_ payload: Payload) {
    sums.updates = 1
    sums.updateDownload = sums.updateDownload.saturatingSum(payload.download)
  }

  mutating func note(_ activity: Activity?) { sums.note(activity) }

  /// Draws the conclusion behind the last component.
  ///
  /// A package that has nothing of what is selected keeps what it has.
  mutating func finish() {
    guard isInstalled else { return }
    let isConsistent = !isDamaged && missing == 0 && (extra == 0 || right == 0)
    sums.installed = isConsistent ? 1 : 0
    sums.inconsistent = isConsistent ? 0 : 1
  }
}
