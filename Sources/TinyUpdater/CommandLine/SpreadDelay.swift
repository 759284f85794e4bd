internal import Platform

/// The random delay of runs that nobody waits for, so that the devices of a fleet do not come all at once.
enum SpreadDelay {
  /// Waits; false if a signal ended it.
  ///
  /// - `seconds`: the longest delay.
  static func pass(upTo seconds: UInt64, on console: Console) -> Bool {
    guard seconds > 0 else { return true }
    let delay = Jitter.number(upTo: seconds * 1000)
    Log.add(.info, text: "begins in \(delay / 1000) seconds (spread)")
    console.say("begins in \(delay / 1000) seconds")
    let end = Clock.milliseconds + delay
    while true {
      if StopSignal.isRaised { return false }
      let now = Clock.milliseconds
      if now >= end { return true }
      Clock.sleep(milliseconds: min(end - now, 1000))
    }
  }
}
