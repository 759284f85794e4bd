package import Trust

/// Signatures that a file lacks.
package struct MissingSignatures: Equatable, Sendable {
  /// The name of the file.
  package let file: String
  package let role: Root.TopLevel
  package let found: Int
  package let threshold: Int
}
