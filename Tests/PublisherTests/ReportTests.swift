import JSONCoding
import MapModel
import Platform
import Releases
import Reporting
import TestSupport
import Testing

@testable import Publisher

@Suite("Reports")
struct ReportTests {
  private let scratch: TestRepository
  private var folder: String { "\(scratch.path)/report" }

  init() throws { scratch = try TestRepository() }

  private func publish(_ releases: ClosedRange<UInt64>) async throws {
    for release in releases {
      try Maps.write(to: scratch) { Maps.changed($0, every: 4000 + Int(release)) }
      try await scratch.release("\(release)")
    }
  }

  @discardableResult
  private func write(
    jobs: Int = 1, to folder: String? = nil, shouldStop: @escaping () -> Bool = { false }
  ) async throws(PublisherError) -> Int {
    try await scratch.writeReport(to: folder ?? self.folder, jobs: jobs, shouldStop: shouldStop)
  }

  private func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try names(folder) { files[name] = try scratch.served("../report/\(name)") }
    return files
  }

  @Test("the same repository gives the same bytes, however many patches are looked into at a time")
  func deterministic() async throws {
    try await publish(1...3)
    #expect(try await write(jobs: 1) == 3)
    let first = try files()
    #expect(
      Set(first.keys) == [
        ".tinypublish-report", "index.html", "release-1.html", "release-2.html", "report.json",
      ])
    try await write(jobs: 4)
    #expect(try files() == first)
    let before = try scratch.tree()
    try await write(to: "\(scratch.path)/other/place")
    #expect(try scratch.served("../other/place/index.html") == first["index.html"])
    #expect(try scratch.tree() == before)
  }

  @Test("report.json has everything that the pages show: they are made again from that alone")
  func value() async throws {
    try scratch.write(
      "europe/gozo/map.xml",
      "<map><bounds south=\"35.8\" west=\"14.1\" north=\"36.1\" east=\"14.6\"/></map>")
    try scratch.write("europe/gozo/base.x", Maps.data(5))
    try await publish(1...3)
    try await write()
    let whole = try files()
    let text = try #require(whole["report.json"])
    let report = try JSONLine.value(Report.self, parsing: text)
    #expect(report.releases.map(\.label) == ["3", "2", "1"])
    #expect(report.releases.allSatisfy { $0.details != nil } && report.places.first?.bounds != nil)
    var other = try ReportFolder("\(scratch.path)/other")
    #expect(try other.write(report) == 3)
    for (name, bytes) in whole { #expect(try scratch.served("../other/\(name)") == bytes) }
  }

  @Test("each catalog is read once")
  func catalogs() async throws {
    try await publish(1...4)
    var read: [UInt64] = []
    let survey = try Survey(of: try Repository(opening: scratch.repository), jobs: 1, memory: .max)
    _ = try await survey.run { event in
      if case .reading(let release) = event { read.append(release.number) }
    }
    #expect(read == [1, 2, 3, 4])
  }

  @Test("a report is replaced, with the pages of releases that are no longer served")
  func replaced() async throws {
    try await publish(1...3)
    try await write()
    do {
      var session = try scratch.session()
      _ = try Pruning(keeping: 1, in: &session, mode: .remove)
    }
    #expect(try await write() == 1)
    #expect(Set(try files().keys) == [".tinypublish-report", "index.html", "report.json"])
  }

  @Test(
    "after prune, a page says that patches are gone, and a bundle has what devices download in their place")
  func pruned() async throws {
    try await publish(1...4)
    try await write()
    let before = try files()
    let repository = try Repository(opening: scratch.repository)
    var request = BundleRequest()
    let second: ReleaseName = try #require(ReleaseName("2"))
    request.release = second
    request.from = [try #require(ReleaseName("1"))]
    let whole = try BundleContents(of: repository, for: request)
    #expect(whole.files.contains { $0.name.hasPrefix("payloads/") })
    #expect(try !Pruning(patchesOf: repository, mode: .remove).files.isEmpty)
    #expect(try await write() == 4)
    let after = try files()
    #expect(after["index.html"] == before["index.html"])
    func text(_ files: [String: [UInt8]]) throws -> String {
      String(decoding: try #require(files["release-2.html"]), as: UTF8.self)
    }
    #expect(try !text(before).contains("removed by prune"))
    #expect(try text(after).contains("components were removed by prune"))
    let left = try BundleContents(of: repository, for: request)
    #expect(left.size > whole.size)
    try left.write(to: .directory(path: "\(scratch.path)/bundle"), from: repository)
    #expect(try scratch.problems() == [])
  }

  @Test(
    "a directory with something else in it is refused and left as it is",
    arguments: ["index.html", "notes", ".x"])
  func refused(name: String) async throws {
    try await publish(1...1)
    try scratch.write(name, Array("mine".utf8), in: "report")
    await #expect(throws: PublisherError.report(.notAReport(path: folder))) { try await write() }
    #expect(try files() == [name: Array("mine".utf8)])
  }

  @Test("a repository is not overwritten either")
  func repository() async throws {
    try await publish(1...1)
    let before = try scratch.tree()
    await #expect(throws: PublisherError.report(.notAReport(path: scratch.repository))) {
      try await write(to: scratch.repository)
    }
    #expect(try scratch.tree() == before)
  }

  @Test("what else is in the directory of a report stays")
  func neighbours() async throws {
    try await publish(1...1)
    try await write()
    for name in ["notes.html", "release-x.html", "release-9.html.bak"] {
      try scratch.write(name, [1], in: "report")
    }
    try scratch.write("release-7.html", [1], in: "report")
    try await write()
    #expect(
      Set(try files().keys) == [
        ".tinypublish-report", "index.html", "report.json", "notes.html", "release-x.html",
        "release-9.html.bak",
      ])
  }

  @Test("stopped at any moment, it leaves the old report whole and nothing beside it", arguments: 0...7)
  func stopped(after steps: Int) async throws {
    try await publish(1...2)
    try await write()
    let before = try files()
    try await publish(3...3)
    var left = steps
    let failure: PublisherError?
    do throws(PublisherError) {
      try await write {
        left -= 1
        return left < 0
      }
      failure = nil
    } catch { failure = error }
    // Three catalogs for the history, and three pages.
    #expect(failure == (steps < 6 ? .stopped : nil))
    if failure == nil {
      #expect(Set(try files().keys).contains("release-2.html"))
    } else {
      #expect(try files() == before)
    }
  }

  @Test("stopped in an empty directory, it leaves an empty directory")
  func stoppedFirst() async throws {
    try await publish(1...2)
    // Two catalogs for the history, and one of two pages.
    var left = 3
    await #expect(throws: PublisherError.stopped) {
      try await write {
        left -= 1
        return left < 0
      }
    }
    #expect(try names(folder) == [])
    try await write()
  }

  @Test("what a killed run left is removed by the next one, also where there was no report before")
  func killed() async throws {
    try await publish(1...1)
    try await write()
    let whole = try files()
    try scratch.write("index.html.new", [1, 2], in: "report")
    try scratch.write("release-5.html.new", [1, 2], in: "report")
    try await write()
    #expect(try files() == whole)
    try Directory(opening: folder).remove("index.html")
    try scratch.write("index.html.new", [1, 2], in: "report")
    try await write()
    #expect(try files() == whole)
  }

  @Test("two at a time are refused")
  func locked() async throws {
    try await publish(1...1)
    try await write()
    let lock = try FileLock(Directory(opening: folder).open(".tinypublish-report", to: .update))
    await #expect(throws: PublisherError.report(.busy(path: folder))) { try await write() }
    _ = consume lock
    try await write()
  }

  @Test("a repository without releases has nothing to show, and nothing is made")
  func noReleases() async throws {
    try scratch.initialize()
    await #expect(throws: PublisherError.repository(.noReleases(path: scratch.repository))) {
      try await write()
    }
    #expect(try names(scratch.path).contains("report") == false)
  }

  @Test("only the newest releases have pages, and the history has all")
  func window() async throws {
    let count = UInt64(PublisherLimits.reportedReleases) + 2
    for release in 1...count {
      try scratch.write("malta/base.x", Maps.data(release, size: 200))
      try await scratch.release("r\(release)")
    }
    #expect(try await write() == PublisherLimits.reportedReleases)
    let files = try files()
    #expect(files["release-3.html"] != nil && files["release-2.html"] == nil)
    let page = String(decoding: try #require(files["index.html"]), as: UTF8.self)
    #expect(page.contains("<a href=\"release-3.html\"><bdi>r3</bdi></a>"))
    #expect(page.contains("<th scope=\"row\"><bdi>r2</bdi></th>"))
    #expect(!page.contains("release-2.html"))
  }

  @Test("a release for 0 % of the devices, or one that is recalled, is marked and no base of an update")
  func notOffered() async throws {
    try await publish(1...4)
    do {
      var session = try scratch.session()
      #expect(try session.setRollout("2", to: 0) == .published)
      let recall = try #require(Recall(because: "<it> sank"))
      #expect(try session.recall("3", as: recall) == .published)
    }
    try await write()
    let report = try JSONLine.value(Report.self, parsing: try #require(try files()["report.json"]))
    #expect(report.releases.map(\.rollout) == [100, 0, 0, 100])
    #expect(report.releases.map(\.recalled) == [nil, "<it> sank", nil, nil])
    #expect(report.releases.map { $0.details?.bases.map(\.label) } == [["1"], ["1"], ["1"], []])
    #expect(report.releases.map { $0.update == nil } == [false, false, false, true])
    func page(_ name: String) throws -> String {
      String(decoding: try #require(try files()[name]), as: UTF8.self)
    }
    let newest = try page("index.html")
    #expect(newest.contains("from <bdi>1</bdi>") && !newest.contains("class=\"tag"))
    #expect(newest.contains("<td class=\"n none\" data-n=\"0\">0 %</td>"))
    #expect(newest.contains("<abbr title=\"&lt;it&gt; sank\">recalled</abbr>"))
    #expect(try page("release-2.html").contains("<span class=\"tag none\">for 0 % of the devices</span>"))
    #expect(try page("release-3.html").contains("<span class=\"tag none\">recalled: &lt;it&gt; sank</span>"))
  }

  @Test("pages have the name of the repository and the dates of releases, and so has report.json")
  func dates() async throws {
    try await publish(1...2)
    do {
      var session = try scratch.session(now: TestRepository.now + 86_400)
      let (from, until) = (TestRepository.now + 90_000, TestRepository.now + 900_000)
      #expect(try session.setDates(of: "2", effective: .some(from), expires: .some(until)) == .published)
    }
    try await write()
    let text = String(decoding: try #require(try files()["index.html"]), as: UTF8.self)
    #expect(text.contains("<title>2, release 2 – repository</title>"))
    #expect(
      text.contains(
        "Release 2 · published 2027-01-15 · in effect from 2027-01-16 09:00 · until 2027-01-25 18:00</small>")
    )
    let report = try JSONLine.value(Report.self, parsing: try #require(try files()["report.json"]))
    #expect(report.name == "repository")
    #expect(report.releases.map(\.published) == ["2027-01-15T08:00:00Z", "2027-01-15T08:00:00Z"])
    #expect(report.releases.map(\.effective) == ["2027-01-16T09:00:00Z", nil])
    #expect(report.releases.map(\.expires) == ["2027-01-25T18:00:00Z", nil])
  }

  @Test("the program writes a report, and says what went wrong with the right exit code")
  func program() async throws {
    let program = try #require(try Program(), "tinypublish has to be built beside the tests")
    try await publish(1...2)
    let made = try program.run(["report", scratch.repository, "-o", folder], in: scratch.path)
    #expect(made == .init(status: 0, output: "\(folder)/index.html: 2 releases\n", error: ""))
    let quiet = try program.run(["report", scratch.repository, "-o", folder, "--quiet"], in: scratch.path)
    #expect(quiet == .init(status: 0, output: "", error: ""))
    let json = try program.run(["report", scratch.repository, "-o", folder, "--json"], in: scratch.path)
    let report = try scratch.served("../report/report.json")
    #expect(json.status == 0 && Array(json.output.utf8) == report)
    let refused = try program.run(["report", scratch.repository, "-o", scratch.input], in: scratch.path)
    #expect(refused.status == 64 && refused.error.contains("is not empty, and not a report"))
    let nowhere = try program.run(["report", scratch.input, "-o", folder], in: scratch.path)
    #expect(nowhere.status == 78 && nowhere.error.contains("is not a repository"))
  }
}
