import TestSupport
import Testing

@testable import Publisher

/// What every command of `tinypublish` answers in JSON, and what it says if it is to be quiet.
@Suite("Answers of tinypublish")
struct ProgramAnswerTests {
  private let scratch: TestRepository
  private let program: Program

  init() throws {
    scratch = try TestRepository()
    program = try #require(try Program(), "tinypublish has to be built beside the tests")
  }

  @Test(
    "every command has --json, --quiet and --progress",
    arguments: [
      "init", "status", "release", "rollout", "dates", "recall", "timestamp", "renew", "plan", "work",
      "prune",
      "bundle", "push", "key list", "key add", "key revoke", "key rotate", "key make", "sign export",
      "sign add",
      "sign import", "verify", "inspect", "report", "diff",
    ])
  func answers(command: String) throws {
    let help = try program.run(["help"] + command.split(separator: " ").map(String.init), in: scratch.path)
    #expect(help.status == 0)
    for option in ["  --json  ", "  -q, --quiet  ", "  --progress <form>"] {
      #expect(help.output.contains(option), "\(option) \(help.output)")
    }
  }

  @Test("quiet commands print nothing, and with --progress json an error is JSON")
  func quiet() async throws {
    try scratch.useOwnKeys()
    try Maps.write(to: scratch)
    let (repository, keys) = (scratch.repository, ["--keys", scratch.store.path])
    let commands = [
      ["init", repository] + keys, ["release", repository, scratch.input, "--label", "1"] + keys,
      ["rollout", repository, "1", "20"] + keys, ["dates", repository, "1", "--expires", "never"] + keys,
      ["timestamp", repository] + keys, ["renew", repository, "targets"] + keys,
      ["key", "list", repository] + keys, ["key", "add", repository, "root"] + keys,
      ["key", "rotate", repository, "snapshot"] + keys, ["verify", repository, "--deep"],
      ["bundle", repository, "-o", "\(scratch.path)/bundle.tar"], ["prune", repository],
      ["report", repository, "-o", "\(scratch.path)/report"], ["status", repository],
      ["inspect", "\(repository)/metadata/timestamp.json"],
    ]
    for command in commands {
      let quiet = try program.run(command + ["--quiet"], in: scratch.path)
      #expect(quiet == .init(status: 0, output: "", error: ""), "\(command)")
    }
    for command in [
      ["rollout", repository, "2", "20"] + keys, ["inspect", scratch.path], ["key", "list", "/"],
    ] {
      let failed = try program.run(command + ["--json", "-q", "--progress", "json"], in: scratch.path)
      let lines = failed.error.split(separator: "\n")
      #expect(failed.status != 0 && failed.output.isEmpty && lines.count == 2, "\(failed)")
      #expect(lines.last?.contains("\"exit\":\(failed.status ?? 0),\"message\":\"") == true, "\(failed)")
    }
  }

  @Test("of a key that is made, the public one is printed also quietly, and nothing else")
  func quietKey() throws {
    let words = ["key", "make", "root", "--keys", "\(scratch.path)/new.keys", "--quiet"]
    let outcome = try program.run(words, in: scratch.path)
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
    #expect(outcome.output.hasPrefix("{\"keytype\":\"ed25519\""), "\(outcome)")
  }
}
