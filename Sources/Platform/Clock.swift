internal import CPlatform

/// The two clocks: one for the date, one that only goes forward.
package enum Clock {
  /// Seconds since 1970-01-01 00:00 UTC; wrong on a device without a set clock.
  package static var now: Int64 { read(CLOCK_REALTIME).seconds }

  /// Milliseconds since some moment in the past.
  package static var milliseconds: UInt64 {
    let time = read(CLOCK_MONOTONIC)
    return UInt64(clamping: time.seconds) * 1000 + UInt64(clamping: time.nanoseconds) / 1_000_000
  }

  /// Seconds since the system was started, those included in which it was suspended.
  package static var uptime: UInt64 { UInt64(clamping: read(CLOCK_BOOTTIME).seconds) }

  /// Sleeps for `milliseconds`, or less if a signal arrives.
  package static func sleep(milliseconds: UInt64) {
    var duration = timespec()
    duration.tv_sec = time_t(clamping: milliseconds / 1000)
    duration.tv_nsec = Int(milliseconds % 1000) * 1_000_000
    _ = nanosleep(&duration, nil)
  }

  /// `seconds` since 1970 as `2024-06-30T12:00:00Z` (RFC 3339).
  package static func timestamp(_ seconds: Int64) -> String {
    var time = time_t(clamping: seconds)
    var parts = tm()
    guard gmtime_r(&time, &parts) != nil else { return "1970-01-01T00:00:00Z" }
    func two(_ value: CInt) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let date = "\(Int64(parts.tm_year) + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return "\(date)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }

  /// The day of that, as `2024-06-30`.
  package static func date(_ seconds: Int64) -> String {
    String(decoding: Array(timestamp(seconds).utf8.prefix(10)), as: UTF8.self)
  }

  /// Minutes since midnight, in the time zone of the system: `TZ`, or else what /etc/localtime says when this is asked
  /// for the first time.
  package static var minuteOfDay: Int {
    var time = time_t(clamping: now)
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return 0 }
    return Int(parts.tm_hour) * 60 + Int(parts.tm_min)
  }

  /// The inverse of `timestamp`: nil for anything that is not exactly of that form, or no date.
  package static func seconds(ofTimestamp text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20 else { return nil }
    func number(_ range: Range<Int>) -> CInt? { CInt(ascii: bytes[range]) }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
    else { return nil }
    var parts = tm()
    parts.tm_year = year - 1900
    parts.tm_mon = month - 1
    parts.tm_mday = day
    parts.tm_hour = hour
    parts.tm_min = minute
    parts.tm_sec = second
    let seconds = Int64(timegm(&parts))
    // timegm(3) takes 31 June for 1 July; formatting it again shows it, and wrong separators too.
    return timestamp(seconds).utf8.elementsEqual(bytes) ? seconds : nil
  }

  private static func read(_ clock: clockid_t) -> (seconds: Int64, nanoseconds: Int64) {
    var time = timespec()
    _ = clock_gettime(clock, &time)
    return (Int64(time.tv_sec), Int64(time.tv_nsec))
  }
}
