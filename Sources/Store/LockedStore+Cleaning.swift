internal import MapReading
package import Platform

/// Removal of generations that are no longer needed, and of leftovers.
extension LockedStore {
  /// Removes all generations but the current one, the one before it, and newer ones.
  ///
  /// A newer one is what a rollback left, and keeps its number from being given again; the next commit
  /// makes it an older one, or it stands by. One that a reader holds stays for another time.
  package func removeStaleGenerations() throws(Failure) {
    try removeOutdatedStandby()
    guard let current = try reading.currentNumber() else { return }
    let previous = try reading.previousNumber()
    try forEachOther(of: current) { (number) throws(Failure) in
      if number < current && number != previous { try removeGeneration(number) }
    }
  }

  /// Removes all generations but the current one, the one that stands by, and those that a reader holds.
  ///
  /// Of a newer one its name stays, so that its number is not given again.
  ///
  /// - Returns: there was something to remove.
  package func removeOtherGenerations() throws(Failure) -> Bool {
    // While the manifest of the current one is lost, another one may be all that the device has.
    guard let current = try reading.currentNumber(), try reading.currentRelease() != nil else { return false }
    var hasRemoved = false
    let standby = try reading.readyStandby()?.generation
    try forEachOther(of: current) { (number) throws(Failure) in
      if number == standby { return }
      if number < current {
        try removeGeneration(number)
        hasRemoved = true
      } else if try emptyGeneration(number) {
        hasRemoved = true
      }
    }
    return hasRemoved
  }

  /// Calls `body` with the number of each generation but `current`, whatever it throws for one of them; the first
  /// error is thrown in the end, unless a reader was the reason.
  private func forEachOther(
    of current: UInt64, _ body: (UInt64) throws(Failure) -> Void
  ) throws(Failure) {
    var numbers: [UInt64] = []
    try reading.forEachGeneration {
      if $0 != current && numbers.count < StoreLimits.generations { numbers.append($0) }
    }
    var failure: Failure?
    for number in numbers {
      do throws(Failure) { try body(number) } catch {
        if failure == nil && error.errno != .wouldBlock { failure = error }
      }
    }
    if let failure { throw failure }
  }

  /// Removes a generation; throws `EWOULDBLOCK` if a reader holds it.
  ///
  /// Files of it that cannot be removed stay as a leftover, which no longer counts as a generation.
  private func removeGeneration(_ number: UInt64) throws(Failure) {
    let directory = try lockedGeneration(number)
    try reading.generations.rename("\(number)", to: "\(number).old")
    do throws(Failure) { try reading.generations.removeTree("\(number).old") } catch {
      LockedStore.note(error)
    }
    // The lock ends here, not sooner: a reader that gets it any later finds the generation gone, and no
    // reader gets it in a generation that is being removed.
    _ = consume directory
  }

  /// Removes what a generation holds; false if that was nothing.
  func emptyGeneration(_ number: UInt64) throws(Failure) -> Bool {
    guard let directory = try lockedGeneration(number) else { return false }
    var isEmpty = true
    try directory.forEachName { (_) throws(Failure) in isEmpty = false }
    // First, so that what is left of it is not taken for a whole one.
    try directory.removeTree(ManifestFormat.fileName)
    do throws(Failure) { try directory.removeTrees { _ in true } } catch { LockedStore.note(error) }
    return !isEmpty
  }

  /// Nil if something else than a directory has the generation's name.
  private func lockedGeneration(_ number: UInt64) throws(Failure) -> Directory? {
    do throws(Failure) {
      let directory = try reading.generations.openDirectory("\(number)")
      try directory.lock(.exclusive)
      return directory
    } catch {
      guard error.errno == .notADirectory else { throw error }
      return nil
    }
  }

  /// Removes what an interrupted run left half made or half removed.
  ///
  /// What cannot be removed stays and blocks nothing: `freeNumber` skips its name. A warning was logged when the store
  /// was opened.
  package func removeLeftovers() {
    _ = LockedStore.removeLeftovers(reading.root, generations: reading.generations)
  }

  /// Returns the errors of what cannot be removed: one of the root directory's names each, and the first of the
  /// generations'.
  static func removeLeftovers(
    _ root: borrowing Directory, generations: borrowing Directory
  ) -> [Failure] {
    var errors: [Failure] = []
    let names = [
      "current.new", "format.new", "history.new", "groups.new", "damage.new", "verification.new", "trial.new",
      "standby.new", "contact.new", "refused.new", "health.log", InPlaceFolder.new, InPlaceFolder.old,
    ]
    for name in names {
      do throws(Failure) { try root.removeTree(name) } catch { errors.append(error) }
    }
    do throws(Failure) { try generations.removeTrees { GenerationNumber.of($0) == nil } } catch {
      errors.append(error)
    }
    return errors
  }

  /// Logs a file that cannot be removed.
  static func note(_ error: Failure) {
    Log.add(
      .warning, text: "\(error.cause); it cannot be removed and stays, and nothing else depends on it")
  }
}
