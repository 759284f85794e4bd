package import MapModel

/// The packages that devices lose by a release.
package struct LostPackages: Equatable, Sendable {
  /// In the order of their ids.
  package let ids: [PackageID]
  /// New packages that have the data of some of them.
  package internal(set) var successors: [ProposedSuccessor]

  package init(_ ids: [PackageID] = [], successors: [ProposedSuccessor] = []) {
    self.ids = ids
    self.successors = successors
  }

  /// Names the packages that devices lose, and how to keep them.
  package var sentences: [String] {
    guard !ids.isEmpty else { return [] }
    let named = ids.prefix(LostPackages.named).map(\.text).joined(separator: ", ")
    let more = ids.count > LostPackages.named ? " and \(ids.count - LostPackages.named) more packages" : ""
    return [
      "Devices that have \(named)\(more) lose \(ids.count == 1 ? "it" : "them"), with nothing in place of that."
    ]
      + successors.prefix(LostPackages.named).map(\.sentence)
  }

  private static var named: Int { 10 }
}
