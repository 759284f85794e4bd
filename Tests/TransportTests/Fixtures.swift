import Platform
import Testing

@testable import Transport

/// Records what it observes.
struct Recorder: TransportObserver {
  private(set) var lost: [String] = []
  private(set) var attempts: [Int] = []
  private(set) var found = 0
  private(set) var received: UInt64 = 0

  mutating func received(_ count: UInt64) { received = count }

  mutating func lostConnection(url: String, cause: String, attempt: Int, pause milliseconds: UInt64) {
    lost.append(cause)
    attempts.append(attempt)
  }

  mutating func foundConnection() { found += 1 }
}

/// A sink in memory that holds bytes already, and may be full.
struct PreparedSink: ByteSink {
  private(set) var bytes: [UInt8]
  private(set) var restarts = 0
  var capacity = Int.max
  /// Where bytes stop being what they must be.
  var rightBytes = Int.max

  init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  var count: UInt64 { UInt64(bytes.count) }

  mutating func write(_ span: RawSpan) throws(Failure) {
    guard bytes.count + span.byteCount <= capacity else { throw Failure(.noSpace, path: "sink") }
    guard bytes.count + span.byteCount <= rightBytes else { throw .refusedBody(url: "sink") }
    span.withUnsafeBytes { bytes += Array($0) }
  }

  mutating func reset() {
    bytes = []
    restarts += 1
  }
}

enum Fixture {
  /// 5000 bytes that differ from their neighbours.
  static let body = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }

  /// Three attempts, hardly any pause.
  static var settings: TransportSettings {
    var settings = TransportSettings()
    settings.retries = 2
    settings.retryDelay = 1
    settings.connectTimeout = 5
    settings.stallTimeout = 5
    return settings
  }

  /// What a fetch came to.
  struct Outcome {
    var error: Failure?
    var sink: PreparedSink
    var recorder: Recorder
    var downloaded: UInt64
  }

  static func fetch(
    _ request: Request, into sink: PreparedSink = PreparedSink(), settings: TransportSettings = settings
  ) throws -> Outcome {
    var client = try Client(settings, shouldStop: { false })
    var outcome = Outcome(error: nil, sink: sink, recorder: Recorder(), downloaded: 0)
    do throws(Failure) {
      try client.fetch(request, into: &outcome.sink, observer: &outcome.recorder)
    } catch { outcome.error = error }
    outcome.downloaded = client.downloaded
    return outcome
  }
}
