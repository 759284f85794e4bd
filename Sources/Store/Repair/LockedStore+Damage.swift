package import Platform

extension LockedStore {
  /// Notes that the new generation has these damaged files as well.
  ///
  /// Without the note they are found again by the next verification.
  package func keepNote(of components: [InstalledComponent], in number: UInt64) {
    guard !components.isEmpty else { return }
    do throws(Failure) {
      try VerificationFiles(opening: reading.path).changeDamage { note in
        for component in components { note.extend(component, to: number) }
      }
    } catch {}
  }

  /// Removes notes of damage that are about generations that no longer exist.
  package func forgetDamageOfRemovedGenerations() throws(Failure) {
    let files = try VerificationFiles(opening: reading.path)
    guard try !files.damage().isEmpty else { return }
    var oldest = UInt64.max
    try reading.forEachGeneration { oldest = min(oldest, $0) }
    let limit = oldest
    try files.changeDamage { $0.removeEntries(before: limit) }
  }
}
