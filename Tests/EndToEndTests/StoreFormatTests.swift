import Foundation
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What happens where programs of several versions come to one store.
  @Suite("Formats of stores")
  struct StoreFormatTests {
    private let sample: Sample
    private let device: Device

    init() throws {
      sample = try Sample.shared.get()
      device = try sample.device(at: 2, settings: "at_boot = nothing")
    }

    private func write(_ text: String) throws {
      _ = try Programs.run("sh", "-c", "printf %s \"$1\" >\"$0\"", "\(device.root)/format", text)
    }

    /// One line for each command on the store.
    private static let commands = [
      "check", "plan", "apply", "install europe", "uninstall europe/malta", "repair", "cancel", "list",
      "at 35.9 14.4",
      "near 35.9 14.4 --radius 1K", "along /dev/null --within 1K", "polygons europe", "position", "groups",
      "groups deselect search",
      "status", "history", "verify", "watch", "serve", "activate", "rollback", "confirm", "boot",
      "provision --from /nowhere", "export /nowhere",
    ]

    @Test("a store that a newer program has written is left as it is by every command", arguments: commands)
    func newer(command: String) throws {
      try write("2\n")
      let before = try digests(device.root)
      let run = try device.run(command.components(separatedBy: " "))
      #expect(run.exit == 78 && run.output == "", "\(run)")
      #expect(
        run.error == """
          tinyupdater: \(device.root) is not a usable store: a newer tinyupdater has given it format 2, and this one \
          knows formats up to 1; run that one again, or name another root; its maps can still be read, and nothing was \
          changed

          """)
      #expect(try digests(device.root) == before)
    }

    @Test("every command on the store is among those, and scripts read what is wrong")
    func complete() throws {
      let help = try device.run("--help").output
      let commands = try #require(
        help.components(separatedBy: "commands\n").last?.components(separatedBy: "\n\n").first)
      let names = commands.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
        .compactMap { $0.split(separator: " ").first }
      let tried = Set(Self.commands.compactMap { $0.split(separator: " ").first })
      #expect(Set(names).subtracting(tried) == ["patch", "support"])
      try write("2\n")
      #expect(try device.run("support", "-o", "\(device.root).tar").exit == 78)
      try write("2\n")
      let result = try device.json("status").event("result")
      #expect(result["result"] as? String == "InitializationFailed")
    }

    @Test("a store that is older than the file gets it from the first command that changes something")
    func older() throws {
      #expect(try String(decoding: contents("\(device.root)/format"), as: UTF8.self) == "1\n")
      try Programs.run("rm", "\(device.root)/format")
      for command in ["status", "list", "check", "history", "verify"] {
        #expect(try device.run(command).exit == (command == "check" ? 10 : 0), "\(command)")
        #expect(try !names(device.root).contains("format"), "\(command)")
      }
      #expect(try device.run("apply").exit == 0)
      #expect(try String(decoding: contents("\(device.root)/format"), as: UTF8.self) == "1\n")
      #expect(try device.installed() == sample.expected[4])
    }

    @Test(
      "killed while it makes a store or writes the format down, the command can be given again",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"), arguments: [true, false])
    func killed(isNew: Bool) throws {
      let scratch = try Scratch("format-kills")
      let start =
        try isNew ? Device(sample.repository.url) : sample.device(at: 2, settings: "at_boot = nothing")
      try Programs.run(isNew ? "mkdir" : "rm", isNew ? start.root : "\(start.root)/format")
      let device = try Device(sample.repository.url, settings: "at_boot = nothing")
      try device.copyStore(of: start)
      let points = try SystemCalls.points(of: device, ["confirm"], log: "\(scratch.path)/trace")
      let reached = SystemCalls.Reached()
      for point in points {
        try device.copyStore(of: start)
        reached.note(try SystemCalls.kills(device, ["confirm"], at: point))
        // Until there is a store, it says so.
        let exit = try device.run("status").exit
        #expect(exit == 0 || isNew && exit == 78, "\(point): \(exit)")
        let again = try device.run("confirm")
        #expect(again.exit == 0, "\(point): \(again)")
        #expect(try String(decoding: contents("\(device.root)/format"), as: UTF8.self) == "1\n", "\(point)")
        #expect(try names(device.root).filter { $0.hasSuffix(".new") } == [], "\(point)")
      }
      reached.expectMost()
    }
  }
}

extension EndToEnd.ReaderTests {
  @Test(
    "maps of a store that a newer program has written are read all the same, in every language",
    arguments: ExampleReader.allCases)
  func newerStore(_ kind: ExampleReader) throws {
    try Programs.run("sh", "-c", "echo 2 >\"$0\"", "\(device.root)/format")
    let (words, environment) = try kind.command(in: scratch)
    let outcome = try ChildProcess.run(words[0], words[1...] + [device.root], environment: environment)
    #expect(outcome.status == 0 && outcome.output.contains("release 1 2024-01"), "\(outcome)")
  }
}
