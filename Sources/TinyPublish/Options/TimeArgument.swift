internal import ArgumentParser
internal import Platform

/// A time in UTC, such as 2026-12-24T09:01:00Z.
struct TimeArgument: ExpressibleByArgument {
  /// Since 1970.
  let seconds: Int64

  init?(argument: String) {
    guard let seconds = Clock.seconds(ofTimestamp: argument) else { return nil }
    self.seconds = seconds
  }
}
