package import Trust

/// The result of a change of keys.
package struct KeyChange: Equatable, Sendable {
  package let role: Root.TopLevel
  package internal(set) var added: MetadataKey?
  /// The id of a key that is no longer listed.
  package internal(set) var removed: String?
  package let keys: Int
  package let threshold: Int
  package let outcome: ChangeOutcome
}
