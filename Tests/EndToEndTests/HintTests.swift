import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What somebody probably meant who has mistyped an id.
  @Suite("Hints")
  struct HintTests {
    private let sample: Sample
    private let device: Device

    init() throws {
      sample = try Sample.shared.get()
      device = try sample.device(at: 2, settings: "offline = yes")
    }

    @Test(
      "a mistyped package or region gets a hint at the right one, by every command that takes ids",
      arguments: [
        ("list europe/malat", "europe/malta"), ("list --tree europe/malat", "europe/malta"),
        ("list eurpoe", "europe"), ("list malta", "europe/malta"), ("list Europe", "europe"),
        ("list europe/malta/valletta", nil), ("list asia", nil), ("list no/such/id", nil),
        ("uninstall europe/malat", "europe/malta"), ("uninstall malta", "europe/malta"),
        ("uninstall maltta", "europe/malta"),
        ("uninstall world/rivers", nil), ("groups deselect serch", "search"), ("groups select x", nil),
      ] as [(String, String?)])
    func hint(command: String, meant: String?) throws {
      let run = try device.run(command.split(separator: " ").map(String.init))
      #expect(run.exit == 64, "\(run)")
      if let meant {
        #expect(run.error.hasSuffix("; did you mean \(meant)?\n"), "\(run)")
      } else {
        #expect(!run.error.contains("did you mean"), "\(run)")
      }
      #expect(run.error.split(separator: "\n").count == 1, "\(run)")
    }

    @Test("a mistyped command of the publisher is named, whatever its options")
    func ofPublisher() throws {
      for words in [["relase", "x", "--label", "y"], ["statsu"]] {
        let outcome = try ChildProcess.run(try Programs.tinypublish(), words)
        #expect(outcome.status == 64, "\(outcome)")
        let meant = words[0] == "relase" ? "release" : "status"
        #expect(
          outcome.error.contains("there is no command \"\(words[0])\"; did you mean \(meant)?"), "\(outcome)")
      }
    }

    @Test("the same of what would be installed", arguments: ["plan", "install"])
    func ofRelease(command: String) throws {
      let device = try sample.device(at: 2)
      for (id, meant) in [("europe/malat", "europe/malta"), ("rivers", "world/rivers"), ("asia", nil)] {
        let run = try device.run(command, id)
        #expect(run.exit == 64, "\(run)")
        #expect(run.error.contains("did you mean \(meant ?? "")?") == (meant != nil), "\(run)")
      }
      // Before anything is installed, too.
      let new = try Device(sample.repository.url)
      let run = try new.run(command, "europe/malat")
      #expect(run.exit == 64 && run.error.hasSuffix("did you mean europe/malta?\n"), "\(run)")
    }
  }
}
