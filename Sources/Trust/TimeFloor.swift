internal import Platform

/// What expiry is compared with, on a device whose clock may be wrong (`docs/design.md`, Time).
package enum ExpiryRule: Equatable {
  /// The clock, but never a time before the floor.
  ///
  /// A clock that runs far ahead stops updates until it is set right.
  case strict
  /// The floor alone, whatever the clock says: for devices that have none.
  ///
  /// An attacker can hold such a device at the newest state that it has seen, without it being noticed.
  case floor
  /// Nothing is ever expired: for what came with the device, or was trusted before. Never for what a network brings.
  case factory
}

/// The time that a device cannot be before, kept between runs so that one without a clock does not begin in
/// 1970 at each start, when nothing would ever be expired.
///
/// Only what signed metadata vouches for raises it: when the newest timestamp was signed, and the clock of a run in
/// which that timestamp was not yet expired. A clock that is ahead can so move it to the timestamp's expiry at most.
extension MetadataDirectory {
  /// Seconds that the floor has to rise before it is written again: flash wears.
  private static var step: Int64 { 3600 }

  /// When a run begins, in seconds since 1970.
  ///
  /// - `clock`: what the system's clock says.
  /// - `built`: when this program was made.
  package func startTime(_ rule: ExpiryRule, clock: Int64, built: Int64) throws(TrustError) -> Int64 {
    let floor = max(try timeFloor(), built)
    switch rule {
    case .strict: return max(clock, floor)
    case .floor: return floor
    case .factory: return 0
    }
  }

  /// Remembers that it was `time` at least.
  func raiseTimeFloor(to time: Int64) throws(TrustError) {
    guard time >= (try timeFloor()) + MetadataDirectory.step else { return }
    try write(floor: "\(time)\n")
  }

  /// 0 if there is none, or if it is damaged.
  private func timeFloor() throws(TrustError) -> Int64 {
    let text = String(decoding: try readFloor() ?? [], as: UTF8.self)
    let parts = text.parts(separatedBy: "\n")
    // Whole only with its line feed, and never so large that adding to it could overflow.
    guard parts.count == 2, let time = Int64(ascii: parts[0].utf8), time < 1 << 40 else { return 0 }
    return time
  }
}
