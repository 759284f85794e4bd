package import Trust

extension Root.TopLevel {
  /// Nil if no role has that name.
  package init?(name: String) {
    guard let role = Root.TopLevel.allCases.first(where: { $0.name == name }) else { return nil }
    self = role
  }
}
