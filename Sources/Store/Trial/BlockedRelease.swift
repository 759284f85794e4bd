package import MapModel

/// A release that the device went back from: it is not installed again unless a user names it.
package struct BlockedRelease: Equatable {
  package let release: Release
  /// The generation that was left, or is to be left: another one of the same release is a new attempt, and so is this
  /// one once a user has returned to it (0).
  package let generation: UInt64
  /// Seconds since 1970, by a clock that may be wrong.
  package let time: Int64
  package let reason: Reason

  package init(_ release: Release, generation: UInt64, time: Int64, reason: Reason) {
    self.release = release
    self.generation = generation
    self.time = max(0, time)
    self.reason = reason
  }

  /// Why the device went back.
  package enum Reason: Equatable {
    /// A user asked for it.
    case rollback
    /// That many starts without a confirmation.
    case starts(UInt64)
    /// The health command exited with this code.
    case exited(CInt)
    /// A signal killed the health command.
    case killed(signal: CInt)
    /// The health command was still running after this time.
    case overTime(seconds: UInt64)
  }
}
