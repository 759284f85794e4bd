import MapModel
import Platform
import Store
import Testing
import Updater

@testable import TinyUpdater

@Suite("Reports")
struct DeviceReportTests {
  /// A device that has as much to say as there can be.
  private func report(cause: String) -> String {
    let label = String(repeating: "l", count: 64)
    let maps = InstalledFacts(
      release: Release(number: UInt64(Int64.max), label: label), components: 1, size: 1, indexSize: 1,
      damaged: .max, verification: nil, isVerificationCurrent: false, staged: 1, free: .max, previous: nil,
      standby: nil, pending: nil, trial: (.max, .max), blocked: [], refused: [], area: AreaRecord(),
      waiting: [], running: nil)
    var entry = HistoryEntry(
      time: 253_402_300_799, command: "uninstall", result: "InitializationFailed", exitCode: 78, from: 0,
      to: 0, downloaded: 0, peakResident: 0, milliseconds: 0)
    entry.text = cause
    let facts = StatusFacts(
      maps: maps, contact: RepositoryContact(253_402_300_799, after: 0), signatures: [],
      terms: ReleaseTerms(),
      known: nil, lastRun: entry, lastFailure: LastFailure(RecentRuns([entry]), contact: nil), area: nil,
      storage: nil, confinement: nil)
    return DeviceReport(facts, device: String(repeating: "\u{1}", count: 32), at: 253_402_300_799).text
  }

  @Test("a report has at most 2048 bytes, and its cause is cut before it is left out")
  func size() {
    let ordinary = report(cause: String(repeating: "c", count: 512))
    #expect(ordinary.utf8.count <= 2048 && ordinary.contains(String(repeating: "c", count: 256) + "\""))
    let hostile = report(cause: String(repeating: "\u{1}", count: 512))
    #expect(hostile.utf8.count <= 2048 && !hostile.contains("failure\""))
    #expect(report(cause: "").utf8.count < 1200)
  }

  @Test("a cause has no secrets of URLs")
  func secrets() {
    #expect(
      report(cause: "https://u:p@a.example/b?c: it failed").contains("\"https://a.example/b?… it failed\""))
  }
}
