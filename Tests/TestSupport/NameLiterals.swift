package import MapModel

/// Names in tests are literals: one that is not valid is a mistake in the test.
extension PackageID: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) {
    guard let id = PackageID(text) else { preconditionFailure("\"\(text)\" is not an id") }
    self = id
  }
}

extension DataGroup: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) {
    guard let group = DataGroup(text) else { preconditionFailure("\"\(text)\" is not a data group") }
    self = group
  }
}
