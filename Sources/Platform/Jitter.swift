internal import CPlatform

/// Random numbers that spread devices in time: not for secrets.
package enum Jitter {
  /// A number from 0 to `limit`; all are equally likely, as long as `limit` is small beside 2 to the power of 64.
  package static func number(upTo limit: UInt64) -> UInt64 {
    var number: UInt64 = 0
    let count = unsafe withUnsafeMutableBytes(of: &number) {
      unsafe getrandom($0.baseAddress, $0.count, UInt32(GRND_NONBLOCK))
    }
    // Early at boot the kernel may have none; the clock differs from device to device as well.
    if count != MemoryLayout<UInt64>.size {
      var time = timespec()
      _ = clock_gettime(CLOCK_MONOTONIC, &time)
      number = UInt64(clamping: time.tv_nsec) / 7
    }
    return limit == .max ? number : number % (limit + 1)
  }
}
