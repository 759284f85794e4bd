package import Trust

extension Root.TopLevel {
  /// Nil if there is no role of that name.
  package init?(name: String) {
    guard let role = Root.TopLevel.allCases.first(where: { $0.name == name }) else { return nil }
    self = role
  }
}
