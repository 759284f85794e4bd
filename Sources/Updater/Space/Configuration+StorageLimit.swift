package import Platform

extension Configuration {
  /// What the store takes, and what it may take at most, in bytes; nil without a limit.
  package func storage() throws(Failure) -> (used: UInt64, limit: UInt64)? {
    guard let storageLimit else { return nil }
    return (used: try Directory(making: root).occupiedSpace(), limit: storageLimit)
  }

  /// Bytes of the file system that are left free now: `space_reserve`, and with a limit all that is free beyond its rest.
  ///
  /// What the store gives back makes the rest of the limit as much larger as the free space, so that the figure also holds
  /// for the time after that.
  func reserve() throws(Failure) -> UInt64 {
    guard let (used, limit) = try storage() else { return spaceReserve }
    let total = try Directory(opening: root).space().available.saturatingSum(used)
    return max(spaceReserve, total - min(total, limit))
  }

  /// What of the file system may be used where the limit of the store does not count.
  func beyondReserve(of space: Space) -> UInt64 { space.available - min(space.available, spaceReserve) }

  /// What of the file system an update may use.
  ///
  /// - `freed`: bytes in it that the store would give back first.
  func available(of space: Space, giving freed: UInt64 = 0) throws(Failure) -> UInt64 {
    let available = beyondReserve(of: space)
    guard let (used, limit) = try storage() else { return available }
    let rest = used - min(used, freed)
    return min(available, limit - min(limit, rest))
  }
}
