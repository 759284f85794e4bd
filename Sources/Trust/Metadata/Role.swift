package import JSONReading

/// Who may sign, and how many of them must.
package struct Role: Equatable {
  package let keyIDs: [Name]
  package let threshold: UInt64

  package init(keyIDs: [Name], threshold: UInt64) {
    self.keyIDs = keyIDs
    self.threshold = threshold
  }

  package init(_ role: JSONValue) throws(MetadataFlaw) {
    keyIDs = try role.distinctNames("keyids", upTo: TrustLimits.keys)
    threshold = try role.number("threshold", from: 1)
  }

  /// The same keys, in whatever order.
  func hasSameKeys(as other: Role) -> Bool { keyIDs.sorted() == other.keyIDs.sorted() }
}
