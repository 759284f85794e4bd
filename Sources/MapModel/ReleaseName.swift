/// How a person names a release: by its label or its number.
package struct ReleaseName: BytewiseName {
  package let text: String

  /// Nil if it can be neither.
  package init?(_ text: String) {
    guard Identifier.isLabel(text) else { return nil }
    self.text = text
  }

  package func names(_ release: Release) -> Bool {
    Identifier.isSame(text, release.label) || Identifier.isSame(text, "\(release.number)")
  }
}
