package import Platform

/// What `verify` leaves in a store: the files `damage` and `verification`.
///
/// They need no lock of the store: maps are verified while another process changes them. A file that is missing, torn or
/// damaged says nothing.
package struct VerificationFiles: ~Copyable {
  private let root: Directory

  /// Those of the store at `path`.
  package init(opening path: String) throws(Failure) { root = try Store.openRoot(path) }

  /// What is known to be damaged.
  package func damage() throws(Failure) -> DamageNote {
    let lines = try SealedText.read(
      DamageNote.fileName, in: root, format: DamageNote.firstLine, limit: StoreLimits.damageFile)
    return lines.map { DamageNote(lines: $0) } ?? DamageNote()
  }

  /// Changes what is known to be damaged, durably; any number of processes may do so at once.
  package func changeDamage(_ change: (inout DamageNote) -> Void) throws(Failure) {
    let lock = try root.openDirectory("generations")
    defer { withExtendedLifetime(lock) {} }
    // A stopped process is not waited for for ever.
    do throws(Failure) { try lock.lock(.exclusive, within: 1000, every: 5) } catch {
      guard error.errno == .wouldBlock else { throw error }
    }
    let before = try damage()
    var after = before
    change(&after)
    guard after != before else { return }
    let isEmpty = after.isEmpty
    let bytes = try SealedText.seal(after.text)
    if !isEmpty { return try replace(DamageNote.fileName, with: bytes) }
    try root.removeTree(DamageNote.fileName)
    try root.synchronize()
  }

  /// How far the last verification came; nil if none is known.
  package func record() throws(Failure) -> VerificationRecord? {
    let lines = try SealedText.read(
      VerificationRecord.fileName, in: root, format: VerificationRecord.firstLine,
      limit: StoreLimits.verificationFile)
    return lines.flatMap { VerificationRecord(lines: $0) }
  }

  /// Forgets that the last verification came to its end, because another one finds more; `changeDamage` makes it durable.
  package func forgetCompletion() throws(Failure) {
    guard try record()?.isComplete ?? false else { return }
    try root.remove(VerificationRecord.fileName)
  }

  /// Replaces it, durably.
  package func write(_ record: VerificationRecord) throws(Failure) {
    let bytes = try SealedText.seal(record.text)
    try replace(VerificationRecord.fileName, with: bytes)
  }

  private func replace(_ name: String, with bytes: [UInt8]) throws(Failure) {
    do throws(Failure) { try root.replace(name, with: bytes) } catch {
      // The process that holds the store has taken the file in the making for a leftover.
      guard error.errno == .noEntry else { throw error }
      try root.replace(name, with: bytes)
    }
  }
}
