import Platform
import Testing

@testable import Store

@Suite("The last failure")
struct LastFailureTests {
  private static let metadata = "https://maps.example.com/metadata/timestamp.json: Couldn't connect to server"
  private static let payload = "https://maps.example.com/payloads/1: the server answered 403"

  private static func run(_ time: Int64, _ code: ResultCode, _ text: String = "", command: String = "apply")
    -> HistoryEntry
  {
    var entry = HistoryEntry(
      time: time, command: command, result: code.name, exitCode: code.rawValue, from: 0, to: 0,
      downloaded: 0, peakResident: 0, milliseconds: 0)
    entry.text = text
    return entry
  }

  /// The time of the failure, and whether it matters.
  private func failure(_ runs: [HistoryEntry], contactAfter failure: Int64? = nil) -> (Int64, Bool)? {
    let contact = failure.map { RepositoryContact(99, after: $0) }
    return LastFailure(RecentRuns(runs), contact: contact).map { ($0.entry.time, $0.matters) }
  }

  @Test("a history without failures has none; what was cancelled or left out something is no failure")
  func none() {
    #expect(failure([]) == nil)
    #expect(failure([Self.run(1, .success), Self.run(2, .cancelled), Self.run(3, .incomplete)]) == nil)
  }

  @Test(
    "it matters until a run has succeeded",
    arguments: [
      ([run(1, .rejected)], true),
      ([run(1, .rejected), run(2, .success)], false),
      ([run(1, .success), run(2, .rejected)], true),
      ([run(1, .rejected), run(2, .cancelled)], true),
      ([run(1, .rejected), run(2, .success, command: "boot")], true),
      ([run(1, .rejected), run(2, .incomplete)], false),
    ])
  func success(runs: [HistoryEntry], matters: Bool) {
    #expect(failure(runs)?.1 == matters)
  }

  @Test("the last one counts")
  func last() throws {
    let (time, matters) = try #require(
      failure([Self.run(1, .rejected), Self.run(2, .success), Self.run(3, .outOfSpace)]))
    #expect(time == 3 && matters)
  }

  @Test(
    "contact makes it over only if the run had not reached the repository, and came after it",
    arguments: [
      (run(5, .connectionFailed, metadata), 5, false), (run(5, .connectionFailed), 5, false),
      (run(5, .connectionFailed, metadata), 4, true), (run(5, .connectionFailed, metadata), 0, true),
      (run(5, .connectionFailed, payload), 5, true), (run(5, .outOfSpace), 5, true),
      (run(5, .connectionFailed, "https://maps.example.com/x: of /metadata/"), 5, true),
    ] as [(HistoryEntry, Int64, Bool)])
  func contact(run: HistoryEntry, after: Int64, matters: Bool) {
    #expect(failure([run], contactAfter: after)?.1 == matters)
    #expect(failure([run])?.1 == true)
  }
}
