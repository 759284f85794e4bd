internal import MapModel
internal import MapReading
package import Platform

/// What stands by: one generation that never was current, and one file that names it.
///
/// The file is there first and goes last, so that no such generation is without it: nothing else would know that it is
/// not one that a rollback has left.
extension LockedStore {
  /// Names what is about to be complete; what stood by before goes.
  package func announce(_ standby: Standby) throws(Failure) {
    try removeStandbyGeneration()
    try replace(Standby.fileName, with: try standby.bytes())
  }

  /// Notes from when on what stands by is in effect, in seconds since 1970; nil: it is.
  package func reschedule(from effective: Int64?) throws(Failure) {
    guard var standby = try reading.standby(), standby.effective != effective else { return }
    standby.effective = effective
    try replace(Standby.fileName, with: try standby.bytes())
  }

  /// Removes what stands by; what is staged for it stays.
  package func removeStandby() throws(Failure) {
    try removeStandbyGeneration()
    // If power loss brings it back, its generation is empty.
    try reading.root.removeTree(Standby.fileName)
  }

  /// Removes of what stands by as much as has no use any more, because another generation is current.
  ///
  /// The file stays as long as its release is newer than the current one: what is staged is for it.
  package func removeOutdatedStandby() throws(Failure) {
    guard let standby = try reading.standby(), let current = try reading.currentNumber() else { return }
    if standby.base != current { try removeStandbyGeneration() }
    guard let release = try reading.currentRelease()?.release else { return }
    if release.number >= standby.release.release.number { try removeStandby() }
  }

  /// Removes the name of what has been activated.
  package func settleStandby() throws(Failure) { try LockedStore.settleStandby(reading.root) }

  /// A standby that has become current does not stand by any more.
  static func settleStandby(_ root: borrowing Directory) throws(Failure) {
    guard let number = try Standby.read(in: root)?.generation else { return }
    do throws(Failure) {
      guard try GenerationNumber.current(in: root) == number else { return }
    } catch {
      // That `current` is lost is found out elsewhere.
      guard case .unusableStore = error else { throw error }
      return
    }
    try root.remove(Standby.fileName)
  }

  /// Empties the generation; its name stays, so that its number is not given again.
  private func removeStandbyGeneration() throws(Failure) {
    guard let number = try reading.standby()?.generation, try number != reading.currentNumber() else {
      return
    }
    do throws(Failure) { _ = try emptyGeneration(number) } catch {
      // Power loss came before it had its number, or an older one was removed as such.
      guard error.errno == .noEntry else { throw error }
    }
  }
}

// MARK: - Where a rollback goes

extension LockedStore {
  /// Has a rollback from a generation that never was current go to where it goes from one that is made now.
  ///
  /// What was on trial when it was staged may have been confirmed since.
  package func setPredecessor(_ predecessor: Predecessor, of number: UInt64) throws(Failure) {
    let generation = try reading.open(number)
    let previous = try previousNumber(predecessor)
    var old = try generation.manifest()
    guard old.previous != previous else { return }
    let file = try generation.directory.open(ManifestFormat.newName, to: .replace)
    var new = try ManifestWriter(file, release: old.release, previous: previous)
    while let component = try old.next() { try new.add(component) }
    try new.finish()
    try generation.directory.rename(ManifestFormat.newName, to: ManifestFormat.fileName)
    try generation.directory.synchronize()
  }
}
