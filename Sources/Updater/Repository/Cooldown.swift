internal import Platform

/// Which of some servers have failed, and are passed over for ten minutes.
struct Cooldown {
  /// For each of them the end of that time, by the clock that only goes forward.
  private var ends: [UInt64]
  private let clock: () -> UInt64

  /// - `count`: of the servers.
  /// - `clock`: milliseconds.
  init(_ count: Int, clock: @escaping () -> UInt64) {
    ends = [UInt64](repeating: 0, count: count)
    self.clock = clock
  }

  /// The indices of those that may be asked.
  var servers: [Int] {
    let now = clock()
    return ends.indices.filter { ends[$0] <= now }
  }

  /// The indices of the others.
  var failed: [Int] {
    let now = clock()
    return ends.indices.filter { ends[$0] > now }
  }

  /// The server has failed.
  mutating func begin(_ index: Int) { ends[index] = clock() + UpdateLimits.serverCooldown }
}
