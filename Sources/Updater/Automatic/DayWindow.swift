internal import Platform

/// A time of each day, by the local clock; its end may be on the day after its start.
package struct DayWindow: Equatable {
  /// Minutes since midnight.
  package let start: Int
  /// The first minute that is not in it.
  package let end: Int

  /// Nil if `text` is not of the form `HH:MM-HH:MM`, or if the window is empty.
  package init?(_ text: String) {
    let times = text.parts(separatedBy: "-")
    guard times.count == 2, let start = DayWindow.minutes(times[0]), let end = DayWindow.minutes(times[1]),
      start != end, start < 1440
    else { return nil }
    self.start = start
    self.end = end
  }

  package func contains(_ minute: Int) -> Bool {
    start < end ? (start..<end).contains(minute) : minute >= start || minute < end
  }

  package var text: String { "\(DayWindow.text(start))-\(DayWindow.text(end))" }

  /// Of a time from 00:00 to 24:00.
  private static func minutes(_ text: String) -> Int? {
    let parts = text.parts(separatedBy: ":")
    guard parts.count == 2, parts[0].utf8.count == 2, parts[1].utf8.count == 2,
      let hour = Int(ascii: parts[0].utf8), let minute = Int(ascii: parts[1].utf8),
      minute < 60, hour * 60 + minute <= 1440
    else { return nil }
    return hour * 60 + minute
  }

  private static func text(_ minutes: Int) -> String {
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(two(minutes / 60)):\(two(minutes % 60))"
  }
}
