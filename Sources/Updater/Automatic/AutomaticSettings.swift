package import MapModel
internal import Platform

/// When an update may be at work that nobody has asked for, and when its maps become current.
package struct AutomaticSettings: Equatable {
  package var activation = Activation.atOnce
  /// The times of the day at which it may; none: all.
  package var windows: [DayWindow] = []
  /// While one of these files exists, it waits.
  package var inhibiting: [String] = []
  /// While one of these files is missing, it waits.
  package var required: [String] = []

  package init() {}

  /// What is in the way of `operation` now; nil if it may be at work.
  ///
  /// What somebody has asked for always may. Looks at the clock and at the names of files.
  package func obstacle(to operation: Operation) -> Obstacle? {
    guard operation.mode == .automatic else { return nil }
    if let path = inhibiting.first(where: { Directory.isThere($0) }) { return .inhibited(by: path) }
    if let path = required.first(where: { !Directory.isThere($0) }) { return .without(path) }
    guard !windows.isEmpty else { return nil }
    let minute = Clock.minuteOfDay
    return windows.contains { $0.contains(minute) } ? nil : .outside(windows)
  }
}

/// Why an automatic update waits.
package enum Obstacle: Equatable {
  case inhibited(by: String)
  case without(String)
  case outside([DayWindow])

  package var sentence: String {
    switch self {
    case .inhibited(let path): "\(path) is there (inhibit)"
    case .without(let path): "\(path) is not there (require)"
    case .outside(let windows):
      "it is not the time for it (window = \(windows.map { $0.text }.joined(by: " ")))"
    }
  }
}
