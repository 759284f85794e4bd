/// Timestamps of a report as a page shows them, in UTC.
enum ReportDate {
  /// Such as "2026-12-24".
  static func day(_ timestamp: String) -> String { String(timestamp.prefix(10)) }

  /// Such as "2026-12-24 09:01".
  static func minute(_ timestamp: String) -> String {
    "\(timestamp.prefix(10)) \(timestamp.dropFirst(11).prefix(5))"
  }
}
