package import Platform

extension LockedStore {
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
