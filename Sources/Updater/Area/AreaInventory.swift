internal import MapModel
internal import Platform
internal import Store

/// Which of some packages are installed, and the bytes that they take.
struct AreaInventory {
  /// In the order of the ids; nil: it is not installed.
  private let sizes: [(id: PackageID, size: UInt64?)]

  /// - `ids`: in order.
  init(_ ids: [PackageID], in store: borrowing Store) throws(Failure) {
    var sizes = ids.map { (id: $0, size: nil as UInt64?) }
    let block = try store.space().block
    switch try store.current().components() {
    case .none: break
    case .some(var manifest):
      while let component = try manifest.next() {
        let place = sizes.partitionPoint { $0.id < component.name.id }
        guard place < sizes.count, sizes[place].id == component.name.id else { continue }
        let size = component.size.saturatingSum(block - 1) / block * block
        sizes[place].size = (sizes[place].size ?? 0).saturatingSum(size)
      }
    }
    self.sizes = sizes
  }

  func has(_ id: PackageID) -> Bool { size(of: id) != nil }

  /// Nil if it is not installed.
  func size(of id: PackageID) -> UInt64? {
    let place = sizes.partitionPoint { $0.id < id }
    return place < sizes.count && sizes[place].id == id ? sizes[place].size : nil
  }
}
