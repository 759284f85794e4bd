import Testing

@testable import TinyUpdater

/// getopt(3) keeps its place in global variables: one test after the other.
@Suite("Invocations", .serialized)
struct InvocationTests {
  private func sentence(_ words: [String], _ body: (Invocation) throws -> Void = { _ in }) throws -> String? {
    do {
      try body(try Words(words).invocation())
      return nil
    } catch let error as UsageError { return error.advice }
  }

  @Test(
    "a command takes its own options, and those of every command on the store", arguments: Command.allCases)
  func options(command: Command) throws {
    for option in CommandOption.allCases where option != .help && option != .version {
      let value = option.description.value == nil ? [] : ["1"]
      let isTaken = command.description.options.contains(option)
      let found = try sentence([command.name, "--\(option.name)"] + value)
      let expected = "\(command.name) does not take --\(option.name); see tinyupdater \(command.name) --help"
      #expect(found == (isTaken ? nil : expected))
    }
  }

  @Test(
    "options that a command does not have are refused with a sentence",
    arguments: [
      (["--tree", "apply"], "apply does not take --tree"),
      (["status", "--no-wait"], "status does not take --no-wait"),
      (["patch", "--json", "a", "b", "c"], "patch does not take --json"),
      (["apply", "--memory", "8M"], "apply does not take --memory"),
    ])
  func refused(words: [String], expected: String) throws {
    #expect(try sentence(words)?.hasPrefix("\(expected); see tinyupdater ") == true)
  }

  @Test(
    "a command is found wherever options stand",
    arguments: [
      (["-q", "patch", "a", "b", "c"], .patch, ["a", "b", "c"]),
      (["--root", "apply", "list", "-j", "x"], .list, ["x"]),
      (["at", "-33.9", "18.4"], .at, ["-33.9", "18.4"]),
    ] as [([String], Command, [String])])
  func found(words: [String], command: Command, operands: [String]) throws {
    let invocation = try Words(words).invocation()
    #expect(invocation.command == command && invocation.operands == operands)
  }

  @Test(
    "a line without a command is refused",
    arguments: [
      ([], "a command is missing; see tinyupdater --help"),
      (["aply"], "\"aply\" is not a command; did you mean apply? see tinyupdater --help"),
      (["update"], "\"update\" is not a command; did you mean apply? see tinyupdater --help"),
      (["explode"], "\"explode\" is not a command; see tinyupdater --help"),
      (["--root", "apply"], "a command is missing; see tinyupdater --help"),
    ])
  func missing(words: [String], expected: String) throws { #expect(try sentence(words) == expected) }

  @Test(
    "ids that cannot be ids, too many or none are refused",
    arguments: [
      (["install"], "install needs the id of a package or region"),
      (["apply", "../x"], "\"../x\" is not a valid id of a package or region"),
      (["list"] + (0...256).map { "p\($0)" }, "list takes at most 256 ids"),
    ])
  func ids(words: [String], expected: String) throws {
    #expect(try sentence(words) { _ = try $0.takeIDs() }?.hasPrefix("\(expected); see") == true)
  }

  @Test("a command without operands refuses them")
  func operands() throws {
    #expect(
      try sentence(["check", "x"]) { _ = try CheckCommand($0) }
        == "check takes no operands; see tinyupdater check --help")
  }

  @Test(
    "values and operands that are not valid are refused",
    arguments: [
      ["list", "--depth", "0"], ["list", "--depth", "x"], ["list", "--lang", ""], ["at"], ["at", "91", "0"],
      ["at", "1", "2", "3"], ["groups", "select"], ["groups", "frob", "a"], ["groups", "select", "../a"],
      ["history", "0"], ["history", "1", "2"], ["patch", "a", "b"],
      ["patch", "--memory", "much", "a", "b", "c"],
    ])
  func invalid(words: [String]) throws {
    let found = try sentence(words) { invocation in
      switch invocation.command {
      case .list: _ = try ListCommand(invocation)
      case .at: _ = try AtCommand(invocation)
      case .groups: _ = try GroupsCommand(invocation)
      case .history: _ = try HistoryCommand(invocation)
      default: _ = try PatchCommand(invocation)
      }
    }
    #expect(found?.hasSuffix("; see tinyupdater \(words[0]) --help") == true)
  }
}
