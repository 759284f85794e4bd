/// How durations are printed.
enum Seconds {
  /// Such as "12.3 s".
  static func text(_ milliseconds: UInt64) -> String {
    "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
  }
}
