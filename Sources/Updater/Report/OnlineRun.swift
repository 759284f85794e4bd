/// What this process knows of its servers.
// Set by the only thread.
package enum OnlineRun {
  /// It has asked one for something.
  nonisolated(unsafe) package private(set) static var hasBegun = false
  /// When it reached the repository, in seconds since 1970; nil: it did not.
  nonisolated(unsafe) package private(set) static var contact: Int64?

  static func begin() { hasBegun = true }

  static func reach(at time: Int64) { contact = time }
}
