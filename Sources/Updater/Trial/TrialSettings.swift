/// How this device tries new releases.
package struct TrialSettings: Equatable {
  /// A new release is on trial until it is confirmed.
  package var isOn = false
  /// Starts that it has for that.
  package var starts: UInt64 = 3
  package var health = HealthSettings()

  package init() {}
}

/// The program that looks at a release on trial.
package struct HealthSettings: Equatable {
  /// Its absolute path; nil: there is none.
  package var command: String?
  /// Bytes of memory that it may use.
  package var memory: UInt64 = 64 << 20
  /// Seconds that it may take.
  package var seconds: UInt64 = 60

  package init() {}
}
