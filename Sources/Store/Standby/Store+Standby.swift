internal import MapModel
package import Platform

extension Store {
  /// What was staged last and is not current yet; nil if nothing stands by.
  package func standby() throws(Failure) -> Standby? { try Standby.read(in: root) }

  /// The same, if it can follow the current generation as it is.
  ///
  /// Another generation than the one that it was staged for may be current since, or power loss may have come before it
  /// was complete: then the next update makes it anew of what is staged.
  package func readyStandby() throws(Failure) -> Standby? {
    guard let standby = try standby(), try standby.base == currentNumber() else { return nil }
    guard let generation = standby.generation else { return standby }
    // It was current, its trial has failed, and its name could not be removed.
    if trialRecord().departure(from: generation, of: standby.release.release.number) != nil { return nil }
    return try whole(generation) == nil ? nil : standby
  }

  /// The same as `standby`, for who can do nothing without it, or removes what it does not name: throws what keeps its
  /// file from being read.
  package func readableStandby() throws(Failure) -> Standby? { try Standby.readable(in: root) }

  /// The bytes that a standby takes beside the current generation, at most: of a component with many files that change in
  /// part, all count.
  package func space(of standby: Standby) throws(Failure) -> UInt64 {
    guard let number = standby.generation, let generation = try whole(number) else {
      return try staging.size()
    }
    var manifest = try generation.manifest()
    var installed = try current().components()
    // Both are in the order of their names.
    var old = try installed?.next()
    var sum: UInt64 = 0
    while let component = try manifest.next() {
      while let passed = old, passed.name < component.name { old = try installed?.next() }
      if old?.name == component.name && old?.digest == component.digest { continue }
      sum = sum.saturatingSum(component.size).saturatingSum(component.index?.size ?? 0)
    }
    return sum
  }
}
