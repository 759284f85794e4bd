internal import Platform

/// Holds a transfer back to a number of bytes a second, on average over all requests.
///
/// It waits where bytes arrive, and TCP passes that on to the server. libcurl's own limit is not used: in 7.88 it has no
/// effect with a buffer of 32 KiB or more.
final class RateLimiter {
  private let bytesPerSecond: UInt64
  /// When the next bytes may arrive, by the clock that only goes forward.
  private var next: UInt64 = 0

  init(_ bytesPerSecond: UInt64) { self.bytesPerSecond = bytesPerSecond }

  /// Waits after `count` bytes; ends early if `shouldStop` says so.
  func pace(_ count: Int, shouldStop: () -> Bool) {
    let now = Clock.milliseconds
    next = max(now, next) + UInt64(count) * 1000 / bytesPerSecond
    while !shouldStop() {
      let now = Clock.milliseconds
      if now >= next { return }
      Clock.sleep(milliseconds: min(next - now, 200))
    }
  }
}
