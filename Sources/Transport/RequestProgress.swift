internal import Platform

/// How far a request has come in all its attempts, and what it may still take.
struct RequestProgress {
  enum Question {
    /// What follows the bytes that the sink has.
    case rest
    /// The same as a range, even if it is all of the file: few login pages answer that with status 206.
    case range
    /// All of the file, because its parts contradict each other.
    case whole
  }

  private let settings: TransportSettings
  private let retries: Int
  /// Counted from 1; progress begins the count again.
  var attempt = 1
  /// How often the body was started over because the server has another one, or serves no ranges; never reset.
  private(set) var startOvers = 0
  /// What the server called the bytes that the sink holds; nil if no server said so in this run.
  private(set) var validator: String?
  /// What the next attempt asks for.
  private(set) var question = Question.rest
  /// The wrong length that was announced last, and whether a range was among the announcements of it.
  private var wrongLength: (bytes: UInt64, isOfRange: Bool)?
  /// The connection was lost, and no bytes have come since.
  var isLost = false
  /// From here on, bytes earn new attempts: the furthest point that earned some, also if the sink began again.
  private var earned: UInt64
  /// Seconds that `Retry-After` may still take.
  private var retryAfter = TransportLimits.retryAfter
  /// Milliseconds that the server may still take to answer; time in the sink does not count.
  private(set) var time: UInt64

  init(_ request: Request, settings: TransportSettings, from start: UInt64) {
    self.settings = settings
    retries = min(request.retries ?? settings.retries, settings.retries)
    earned = start
    time = settings.patience.saturatingSum(request.limit / TransportLimits.slowest * 1000)
  }

  /// Seconds.
  var stallTimeout: Int { settings.stallTimeout }

  /// The proxy that is set; nil: the environment names one, or there is none.
  var proxy: String? { settings.proxy }

  /// The file of certificate authorities.
  var authorities: String { settings.certificateAuthorities ?? TransportSettings.systemAuthorities }

  /// Only real progress earns new attempts: a server may not keep a device busy byte by byte, nor with the same bytes.
  mutating func earn(_ count: UInt64) {
    guard count >= earned, count - earned >= TransportLimits.progress else { return }
    earned = count
    attempt = 1
  }

  var mayTryAgain: Bool { attempt <= retries && time > 0 }

  /// Counts a start-over; false if there were too many.
  mutating func mayStartOver() -> Bool {
    validator = nil
    startOvers += 1
    guard startOvers <= max(settings.retries, 1) && time > 0 else { return false }
    question = .whole
    return true
  }

  /// The sink takes the body that the server calls `validator`.
  mutating func accept(_ validator: String?) {
    self.validator = validator
    question = .rest
  }

  /// What came was a page in the place of the file.
  mutating func doubt() { question = .range }

  /// Notes an answer that is not the file, as it announces `length` bytes; true if that may be the length of what the
  /// server has, because it says so twice, and once of a range.
  mutating func isCertain(_ length: UInt64?, isRange: Bool) -> Bool {
    question = isRange ? .whole : .range
    guard let length else { return false }
    let before = wrongLength
    wrongLength = (length, isRange)
    guard let before, before.bytes == length else { return false }
    wrongLength?.isOfRange = isRange || before.isOfRange
    return isRange || before.isOfRange
  }

  mutating func spend(_ milliseconds: UInt64) { time -= min(time, milliseconds) }

  /// Milliseconds until the next attempt: what the server asks for, or else twice as long each time, less up to a
  /// half, so that devices do not come back all at once.
  mutating func pause(after seconds: UInt64?) -> UInt64 {
    if let seconds, retryAfter > 0 {
      let pause = min(seconds, retryAfter)
      retryAfter -= pause
      return pause * 1000
    }
    let full = min(settings.retryDelay << UInt64(min(attempt - 1, 16)), TransportLimits.pause)
    return full - Jitter.number(upTo: full / 2)
  }
}
