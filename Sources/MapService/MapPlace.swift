/// Degrees as the service takes them.
package enum MapPlace {
  /// Such as "-14.1836100", to a centimetre; nil beyond 180 degrees, or if it is no number.
  package static func text(_ degrees: Double) -> String? {
    guard degrees >= -180, degrees <= 180 else { return nil }
    let steps = Int64(degrees * 10_000_000 + (degrees < 0 ? -0.5 : 0.5))
    let digits = "\(steps.magnitude % 10_000_000)"
    let zeros = String(repeating: "0", count: 7 - digits.utf8.count)
    return "\(steps < 0 ? "-" : "")\(steps.magnitude / 10_000_000).\(zeros)\(digits)"
  }
}
