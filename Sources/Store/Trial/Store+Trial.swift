package import Platform

extension Store {
  /// What is on trial, and what is blocked.
  ///
  /// Nothing where the file is missing. One that is damaged, or cannot be read, counts as missing and is logged: it must
  /// keep no device from its maps.
  package func trialRecord() -> TrialRecord {
    do throws(Failure) {
      let status = try root.status(of: TrialRecord.fileName)
      guard let status else { return TrialRecord() }
      if status.kind == .file, status.size <= StoreLimits.trialFile {
        let bytes = try root.open(TrialRecord.fileName).bytes(upTo: StoreLimits.trialFile)
        if let record = try TrialRecord(bytes) { return record }
      }
      note("is damaged")
    } catch { note("cannot be read: \(error.cause)") }
    return TrialRecord()
  }

  private func note(_ problem: String) {
    Log.add(
      .warning,
      text:
        "\(path)/\(TrialRecord.fileName) \(problem); no release is on trial or blocked until it is written again"
    )
  }

  /// The number of the current generation; nil if nothing is installed.
  package func currentGeneration() throws(Failure) -> UInt64? { try currentNumber() }

  /// The trial that the current generation is on; nil if it is confirmed, or nothing is installed.
  package func trial() throws(Failure) -> Trial? { trialRecord().trial(of: try currentNumber()) }

  /// A generation with its release; nil if it is gone, or if its manifest is lost.
  package func whole(_ number: UInt64) throws(Failure) -> Generation? {
    do throws(Failure) {
      let generation = try open(number)
      _ = try generation.manifest()
      return generation
    } catch {
      guard error.isOfLostManifest else { throw error }
      return nil
    }
  }
}

extension LockedStore {
  /// Changes what is on trial and what is blocked: power loss leaves the old record or the new one.
  ///
  /// Writes nothing if nothing changes: flash wears.
  package func changeTrialRecord(_ body: (inout TrialRecord) -> Void) throws(Failure) {
    let old = reading.trialRecord()
    var new = old
    body(&new)
    guard new != old else { return }
    let bytes = try new.bytes()
    try replace(TrialRecord.fileName, with: bytes)
  }
}
