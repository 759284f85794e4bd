internal import CCurl
package import Platform
package import Transport

/// Asks servers for the last byte of many files, over a few connections that are kept.
///
/// The answer says whether the file is there, how large it is, and what a device meets that resumes its download.
package struct Probe: ~Copyable {
  private let multi: UnsafeMutableRawPointer
  private let lanes: [Lane]
  private let shouldStop: () -> Bool
  /// Files in a row that were not handed out for a passing reason; after them, others are not asked for.
  private static let maximumFailures = 20

  /// A file, and the size in bytes that it should have; at least 1.
  package struct Question: Equatable, Sendable {
    package let url: String
    package let size: UInt64

    package init(_ url: String, size: UInt64) {
      self.url = url
      self.size = size
    }
  }

  /// - `settings`: certificates and the name of the client; the rest plays no role.
  /// - `connections`: how many requests are under way at a time.
  package init(
    _ settings: TransportSettings = TransportSettings(), connections: Int, timeout seconds: Int = 60,
    shouldStop: @escaping () -> Bool
  ) throws(Failure) {
    guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let multi = curl_multi_init() else {
      throw .noNetwork(cause: "no memory")
    }
    var lanes: [Lane] = []
    for _ in 0..<connections {
      guard let lane = Lane(settings, timeout: seconds) else {
        curl_multi_cleanup(multi)
        throw .noNetwork(cause: "libcurl lacks an option")
      }
      lanes.append(lane)
    }
    self.multi = multi
    self.lanes = lanes
    self.shouldStop = shouldStop
  }

  deinit {
    lanes.forEach { $0.close() }
    curl_multi_cleanup(multi)
  }

  /// Asks each question, those that fail for a passing reason up to three times.
  ///
  /// Returns the answers in the order of the questions. Throws only `cancelled`, `setup`, and `unreachable` if it
  /// gives up.
  package mutating func ask(_ questions: [Question]) throws(Failure) -> [ProbeAnswer] {
    var answers = [ProbeAnswer?](repeating: nil, count: questions.count)
    var waiting: [(index: Int, attempt: Int, from: UInt64)] = []
    var next = 0
    var failures = 0
    defer { for lane in lanes where lane.question != nil { end(lane) } }
    while true {
      for lane in lanes where lane.question == nil {
        if let place = waiting.firstIndex(where: { $0.from <= Clock.milliseconds }) {
          let entry = waiting.remove(at: place)
          try begin(lane, questions[entry.index], index: entry.index, attempt: entry.attempt)
        } else if next < questions.count {
          try begin(lane, questions[next], index: next, attempt: 1)
          next += 1
        }
      }
      guard next < questions.count || !waiting.isEmpty || lanes.contains(where: { $0.question != nil }) else {
        break
      }
      if shouldStop() { throw .cancelled }
      var running: CInt = 0
      guard curl_multi_perform(multi, &running) == CURLM_OK else { throw .noNetwork(cause: "no memory") }
      var left: CInt = 0
      while let message = curl_multi_info_read(multi, &left) {
        let (handle, result) = (message.pointee.easy_handle, message.pointee.data.result)
        guard let lane = lanes.first(where: { $0.raw == handle }) else { continue }
        let (index, attempt) = (lane.index, lane.attempt)
        end(lane)
        let answer = lane.answer(result)
        if answer.isTransient && attempt < 3 {
          waiting.append((index, attempt + 1, Clock.milliseconds + UInt64(attempt) * 500))
        } else {
          answers[index] = answer
          failures = answer.isTransient ? failures + 1 : 0
          guard failures < Probe.maximumFailures else {
            throw .unreachable(url: questions[index].url, cause: answer.cause, attempts: attempt)
          }
        }
      }
      if running > 0 || next >= questions.count { curl_multi_poll(multi, nil, 0, 100, nil) }
    }
    return answers.compactMap { $0 }
  }

  private func begin(
    _ lane: Lane, _ question: Question, index: Int, attempt: Int
  ) throws(Failure) {
    guard lane.prepare(question, index: index, attempt: attempt),
      curl_multi_add_handle(multi, lane.raw) == CURLM_OK
    else {
      lane.question = nil
      throw .noNetwork(cause: "no memory")
    }
  }

  private func end(_ lane: Lane) {
    curl_multi_remove_handle(multi, lane.raw)
    lane.question = nil
  }
}
