/// What became of a change.
package enum ChangeOutcome: Equatable, Sendable {
  /// Devices see it.
  case published
  /// It waits for these signatures; devices see what they saw before.
  case pending([MissingSignatures])
}
