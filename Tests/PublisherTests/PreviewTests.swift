import Platform
import TestSupport
import Testing

@testable import Publisher

/// What `release --dry-run` and `--max-download` are for: looking before a release is made, and refusing one that is large.
@Suite("Preview")
struct PreviewTests {
  private let scratch: TestRepository
  private let program: Program

  init() throws {
    scratch = try TestRepository()
    program = try #require(try Program(), "tinypublish has to be built beside the tests")
    try Maps.write(to: scratch)
    try scratch.initialize()
  }

  private func release(_ label: String, _ options: String...) throws -> Program.Outcome {
    try program.run(
      ["release", scratch.repository, scratch.input, "--label", label] + options, in: scratch.path)
  }

  @Test("a dry run says what would be new, changed and gone, changes nothing and needs no keys")
  func dryRun() async throws {
    let first = try release("1", "--dry-run")
    #expect(first.status == 0, "\(first)")
    #expect(first.output.contains("Release 1, 1, would have 3 components: 3 new or changed"))
    try await scratch.release("1")
    try scratch.write("europe/malta/base.gpkg", Maps.changed(Maps.data(1)))
    try scratch.write("europe/andorra/base.gpkg", Maps.data(7))
    try scratch.remove("europe/france")
    let before = try scratch.tree()
    // Neither keys nor a passphrase.
    try Directory(opening: scratch.path).remove("passphrase")
    try Directory(opening: scratch.path).remove("repository.keys")
    let refused = try release("2", "--dry-run", "--quiet")
    #expect(refused.status == 21 && refused.error.contains("--allow-removed 1"), "\(refused)")
    let table = try release("2", "--dry-run")
    #expect(table.status == 21 && table.error == refused.error, "\(table)")
    let run = try release("2", "--dry-run", "--allow-removed", "1")
    #expect(run.status == 0, "\(run)")
    // What would be refused is shown as what would not; the error names the lost package.
    #expect(run.output.hasPrefix(table.output) && run.output.contains("europe/france/grand-est"))
    #expect(!table.output.isEmpty && !table.output.contains("europe/france/grand-est"))
    let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(lines[0] == "file package data group old new")
    #expect(
      lines[1].hasPrefix("europe/andorra/base.gpkg europe/andorra base - 60.")
        && lines[2].hasPrefix("europe/malta/base.gpkg europe/malta base 60.")
    )
    #expect(lines[3].hasPrefix("Release 2, 2, would have 3 components: 2 new or changed, 120 kB, and 1 of"))
    let json = try release("2", "--dry-run", "--allow-removed", "1", "--json").output
    #expect(
      json.hasPrefix("{\"format\":1,\"dryRun\":true,\"release\":2,\"label\":\"2\",\"previousRelease\":1,"))
    #expect(
      json.contains(
        "\"path\":\"europe/malta/search.sqlite\",\"input\":\"europe/malta/search.sqlite\",\"size\":20")
        && json.contains("\"isUnchanged\":true}"))
    #expect(
      json.contains(
        "\"gone\":[{\"id\":\"europe/france/grand-est\",\"dataGroup\":\"base\",\"path\":\"europe/france/grand-est/base.gpkg\"}]"
      ))
    #expect(try scratch.tree() == before)
  }

  @Test("a dry run refuses what a release refuses: an input, a label, a repository in use")
  func refusals() async throws {
    try await scratch.release("1")
    #expect(try release("1", "--dry-run").status == 64)
    try scratch.write("europe/malta/base\\.gpkg", [1])
    #expect(try release("2", "--dry-run").status == 21)
    try scratch.remove("europe/malta/base\\.gpkg")
    let payloads = try RepositoryLock(.payloads, of: Directory(opening: scratch.repository))
    #expect(try release("2", "--dry-run").status == 25)
    _ = consume payloads
    #expect(try release("2", "--dry-run", "--max-download", "5").status == 64)
    #expect(try release("2", "--max-download", "101").status == 64)
  }

  @Test("a dry run of an archive leaves nothing of it")
  func archive() throws {
    let archive = "\(scratch.path)/maps.tar"
    _ = try ChildProcess.run("tar", ["-cf", archive, "-C", scratch.input, "."])
    let before = try scratch.tree()
    let run = try program.run(
      ["release", scratch.repository, archive, "--label", "1", "--dry-run"], in: scratch.path)
    #expect(run.status == 0 && run.output.contains("3 new or changed"), "\(run)")
    #expect(try scratch.tree() == before)
    #expect(try Directory(opening: scratch.repository).status(of: ".work") == nil)
  }

  @Test(
    "a release that devices would download too much of is not published, and is there at once if it may be")
  func tooLarge() async throws {
    #expect(try release("1", "--max-download", "0").status == 0, "there is nothing to update from")
    try Maps.write(to: scratch) { Maps.changed($0) }
    // New for devices, so that none of them downloads it.
    try scratch.write("europe/andorra/base.gpkg", Maps.data(7))
    let before = try scratch.served("metadata/timestamp.json")
    let refused = try release("2", "--max-download", "0")
    #expect(refused.status == 21)
    #expect(
      refused.error.contains(
        "% of what its maps are in full; --max-download permits 0 %. Nothing was published."))
    #expect(refused.error.contains("Most of it is for europe/"))
    #expect(try scratch.served("metadata/timestamp.json") == before)
    #expect(try release("2", "--max-download", "50").status == 0)
    // The same again: nothing to download.
    #expect(try release("3", "--max-download", "0").status == 0)
  }
}
