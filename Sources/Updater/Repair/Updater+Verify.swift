package import Platform
package import Store

extension Updater {
  /// Reads the installed components from storage, and notes what is damaged: the next change of the maps mends it.
  ///
  /// Holds the generation, and not the store: maps can be changed meanwhile. The next call resumes what was stopped.
  ///
  /// - `limit`: ends it after the component with which that many bytes are read.
  /// - `body`: called with each component that is read, and what is damaged of it.
  /// - Returns: nil if nothing is installed.
  package func verify(
    upTo limit: UInt64 = .max, each body: (InstalledComponent, DamageNote.Part?) -> Void
  ) throws(Failure) -> VerificationReport? {
    let store = try Store(opening: configuration.root)
    let generation = try store.holdCurrent()
    if generation.isEmpty { return nil }
    var verifier = try Verifier(configuration.root, events: events, heartbeat: heartbeat)
    return try verifier.verify(generation, limit: limit, each: body)
  }
}
