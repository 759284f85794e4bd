import JSONReading
import Platform
import TestSupport
import Testing
import Trust

@testable import Publisher

/// `--progress json`: standard error is JSON Lines, and nothing else.
@Suite("Progress as JSON Lines")
struct ProgressTests {
  private let scratch: TestRepository
  private let program: Program

  init() throws {
    scratch = try TestRepository()
    program = try #require(try Program(), "tinypublish has to be built beside the tests")
    try Maps.write(to: scratch)
  }

  private func initialize(_ options: String...) throws {
    let outcome = try program.run(["init", scratch.repository] + options, in: scratch.path)
    #expect(outcome.status == 0, "\(outcome)")
  }

  private struct Run {
    let status: Int32?
    let output: String
    let lines: [JSONValue]

    /// The lines in short, such as "read europe/malta base".
    var words: [String] {
      lines.map { line in
        ["event", "id", "dataGroup", "name", "label", "result", "command"].compactMap {
          line.member($0)?.text
        }
        .joined(separator: " ")
      }
    }

    func numbers(_ event: String, _ name: String) -> [Int64] {
      lines.filter { $0.member("event")?.text == event }.compactMap { $0.member(name)?.whole }
    }
  }

  /// Runs the program; every line must be an object whose `milliseconds` do not go back.
  private func run(_ arguments: String...) throws -> Run {
    let outcome = try program.run(arguments + ["--progress", "json"], in: scratch.path)
    let lines = try outcome.error.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(lines.allSatisfy { $0.kind == .object })
    let times = try lines.map { try #require($0.member("milliseconds")?.whole) }
    #expect(times == times.sorted())
    let exit = lines.last?.member("exit")?.whole
    #expect(exit == outcome.status.map(Int64.init), "\(outcome)")
    return Run(status: outcome.status, output: outcome.output, lines: lines)
  }

  @Test(
    "a release reports every component, what is ignored and what is gone, and how it ended, even if it is quiet"
  )
  func release() throws {
    try initialize()
    let first = try run("release", scratch.repository, scratch.input, "-l", "1", "--json")
    #expect(first.output.hasPrefix("{\"format\":1,\"release\":1,"))
    let names = ["europe/france/grand-est base", "europe/malta base", "europe/malta search"]
    #expect(first.words.first == "begin release" && first.words.last == "result Success")
    #expect(first.words.filter { $0.hasPrefix("read ") }.sorted() == names.map { "read \($0)" })
    #expect(first.words.filter { $0.hasPrefix("made ") }.sorted() == names.map { "made \($0)" })
    #expect(first.words.count == 2 + 2 * names.count)
    for event in ["read", "made"] {
      let (done, total) = (first.numbers(event, "done"), first.numbers(event, "total"))
      #expect(done == done.sorted() && done.last == total.last && Set(total).count == 1)
    }

    try scratch.remove("europe/france")
    try scratch.write("README", "x")
    let refused = try run("release", scratch.repository, scratch.input, "-l", "2", "--quiet")
    #expect(refused.status == 21 && refused.output.isEmpty)
    #expect(
      refused.words == ["begin release", "ignored", "gone europe/france/grand-est base", "result Rejected"])
    #expect(refused.lines.last?.member("message")?.text?.contains("--allow-removed 1") == true)
    let preview = try run(
      "release", scratch.repository, scratch.input, "-l", "2", "--dry-run", "--allow-removed", "1")
    #expect(preview.words.last == "result Success" && !preview.words.contains { $0.hasPrefix("made") })
  }

  @Test("missing signatures, another process and a wrong label have their names and exit codes")
  func endings() throws {
    try scratch.useOwnKeys()
    let keys = scratch.store.path
    try initialize("--keys", keys)
    let key = try #require(try names(keys).first { $0.hasPrefix("targets-") && $0.hasSuffix(".pem") })
    try Directory(opening: scratch.path).rename("own.keys/\(key)", to: key)
    let pending = try run("release", scratch.repository, scratch.input, "-l", "1", "--keys", keys)
    #expect(pending.status == 10 && pending.words.last == "result SignaturesMissing")
    #expect(pending.lines.last?.member("message")?.text?.contains("sign export") == true)
    let label = try run("release", scratch.repository, scratch.input, "-l", "a b")
    #expect(label.status == 64 && label.words == ["begin release", "result InvalidParameters"])
    let nowhere = try run("prune", scratch.input)
    #expect(nowhere.status == 78 && nowhere.words == ["begin prune", "result InitializationFailed"])
    let lock = try RepositoryLock(.metadata, of: Directory(opening: scratch.repository))
    let busy = try run("release", scratch.repository, scratch.input, "-l", "1", "--keys", keys)
    #expect(busy.status == 25 && busy.words == ["begin release", "result Busy"])
    _ = consume lock
  }

  @Test("verification reports each release and each problem, and a bundle what it is")
  func verification() throws {
    try initialize()
    #expect(try run("release", scratch.repository, scratch.input, "-l", "1").status == 0)
    let whole = try run("verify", scratch.repository, "--deep")
    #expect(whole.status == 0 && whole.words.suffix(2) == ["verified 1", "result Success"])
    #expect(whole.numbers("checked", "done").last == whole.numbers("checked", "total").last)
    let bundle = try run("bundle", scratch.repository, "-o", "-")
    #expect(bundle.words.suffix(2) == ["bundle 1", "result Success"])
    #expect(bundle.numbers("bundle", "size") == bundle.numbers("bundled", "total").suffix(1))
    let component = try #require(try names("\(scratch.repository)/components").first)
    try Directory(opening: scratch.repository).remove("components/\(component)")
    let damaged = try run("verify", scratch.repository)
    #expect(damaged.status == 21 && damaged.words.suffix(2) == ["problem", "result Rejected"])
    #expect(damaged.numbers("verified", "problems") == [1])
    #expect(damaged.lines.suffix(2).first?.member("message")?.text?.contains("is missing") == true)
  }

  @Test("of lines that only count there are at most two a second, and the last one")
  func rate() throws {
    try initialize()
    for number in 0..<30 {
      try scratch.write("world/p\(number)/base.gpkg", Maps.data(UInt64(number), size: 2000))
    }
    #expect(try run("release", scratch.repository, scratch.input, "-l", "1").status == 0)
    let bundle = try run("bundle", scratch.repository, "-o", "-")
    let last = try #require(bundle.numbers("result", "milliseconds").first)
    #expect(bundle.numbers("bundled", "done").count <= Int(last) / 500 + 2)
    #expect(bundle.numbers("bundled", "done").last == bundle.numbers("bundled", "total").last)
  }
}
