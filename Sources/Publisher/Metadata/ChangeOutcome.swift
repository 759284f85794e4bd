/// The result of a change to the metadata.
package enum ChangeOutcome: Equatable, Sendable {
  /// Devices see it.
  case published
  /// It waits for these signatures; devices see the previous state.
  case pending([MissingSignatures])
}
