package import Platform

/// What came over the network on one day: the file `downloads` (`docs/format/store.md`, Downloads).
///
/// A day ends with its date, as long as the clock can be trusted; if it cannot, after 24 hours or some starts of the
/// device. So a clock that begins in 1970 at each start neither gives a new day at each start nor one that never ends.
///
/// It needs no lock: two processes that write at the same moment can lose one note.
package struct DownloadRecord: Equatable {
  /// What a process knows of the time.
  package struct Moment: Equatable {
    /// Days since 1970-01-01 in UTC.
    let day: Int64
    /// The clock says so; else the device only cannot be before that day.
    let isKnown: Bool
    /// What the kernel calls this start of the device.
    let start: String
    /// Seconds since then.
    let uptime: UInt64

    /// - `clock`: seconds since 1970 by the clock.
    /// - `floor`: the same, which it must be by now.
    package init(clock: Int64, floor: Int64, start: String, uptime: UInt64) {
      day = max(clock, floor, 0) / DownloadRecord.secondsOfDay
      isKnown = clock >= floor
      self.start = start
      self.uptime = uptime
    }
  }

  /// Days since 1970-01-01 in UTC.
  private(set) var day: Int64
  package private(set) var bytes: UInt64 = 0
  /// Those that came at this start of the device before the clock was set: they are of the day that it will say.
  private var undated: UInt64 = 0
  /// The start of the device that was last counted, how many there were, and the uptime from which this one counts.
  private var start: String
  private var starts: UInt64 = 1
  private var since: UInt64

  static var fileName: String { "downloads" }
  private static var format: String { "tinyupdater-downloads 1" }
  static var secondsOfDay: Int64 { 86_400 }

  /// A day that begins.
  private init(beginning moment: Moment) {
    day = moment.day
    start = moment.start
    since = moment.uptime
  }

  /// The day at `moment` in the store at `root`; zero bytes if it is a new one, or if the last one cannot be read.
  package init(at moment: Moment, in root: String) {
    self.init(beginning: moment)
    do throws(Failure) {
      let lines = try SealedText.read(
        DownloadRecord.fileName, in: Store.openRoot(root), format: DownloadRecord.format,
        limit: StoreLimits.downloadRecord)
      guard let lines, let last = DownloadRecord(lines) else { return }
      self = last
      advance(to: moment)
    } catch {}
  }

  /// Nil if they are not of the format.
  private init?(_ lines: [[String]]) {
    guard let words = lines.first, words.count == 3, words[0] == "day",
      let time = Clock.seconds(ofTimestamp: "\(words[1])T00:00:00Z"), let bytes = UInt64(ascii: words[2].utf8)
    else { return nil }
    day = time / DownloadRecord.secondsOfDay
    self.bytes = bytes
    (start, since) = ("-", 0)
    // Earlier versions did not write it.
    guard lines.count > 1 else { return }
    let rest = lines[1]
    guard rest.count == 5, rest[0] == "start", let starts = UInt64(ascii: rest[2].utf8),
      let since = UInt64(ascii: rest[3].utf8), let undated = UInt64(ascii: rest[4].utf8)
    else { return nil }
    (start, self.starts, self.since, self.undated) = (rest[1], starts, since, undated)
  }

  /// Begins a new day if this one is over.
  private mutating func advance(to moment: Moment) {
    if start != moment.start || moment.uptime < since {
      undated = 0
      start = moment.start
      starts = starts.saturatingSum(1)
      since = moment.uptime
    }
    if moment.day > day { (day, bytes, starts) = (moment.day, undated, 1) }
    guard !moment.isKnown || moment.day < day else {
      (undated, starts, since) = (0, 1, moment.uptime)
      return
    }
    // No date will end the day, or one that is far away.
    if starts > StoreLimits.startsOfDay || moment.uptime - since >= UInt64(DownloadRecord.secondsOfDay) {
      self = DownloadRecord(beginning: moment)
    }
  }

  /// Counts bytes that came at `moment`, which is that of this record.
  package mutating func add(_ count: UInt64, at moment: Moment) {
    bytes = bytes.saturatingSum(count)
    if !moment.isKnown { undated = undated.saturatingSum(count) }
  }

  /// Writes it in place of what was noted before, in a store that exists.
  package func write(in root: String) throws(Failure) {
    let date = Clock.date(day * DownloadRecord.secondsOfDay)
    let text = try SealedText.seal(
      "\(DownloadRecord.format)\nday \(date) \(bytes)\n"
        + "start \(start) \(starts) \(since) \(undated)\n")
    let directory = try Store.openRoot(root)
    try directory.replace(DownloadRecord.fileName, with: text)
  }
}
