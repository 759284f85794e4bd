import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Each part of a store, damaged in each way, and each command that repairs it.
  ///
  /// `make crash` tries all; otherwise it is a third of the damages, and one command for each, from `TINYUPDATER_SEED` on,
  /// if that is set.
  @Suite("Damage matrix")
  struct DamageMatrixTests {
    private let sample: Sample
    private let start: Device

    init() throws {
      sample = try Sample.shared.get()
      start = try #require(DamageMatrixTests.start).get()
    }

    /// At release 4, with a way back to 2; the tests take copies of its store.
    private nonisolated(unsafe) static var start: Result<Device, any Error>? = Result {
      // Nothing that is static is ever freed by itself.
      atexit { DamageMatrixTests.start = nil }
      let device = try Sample.shared.get().device(at: 2, settings: "at_boot = nothing")
      for command in ["apply", "verify"] { #expect(try device.run(command).exit == 0) }
      return device
    }

    /// What a person, a program or a failing disk makes of a part of the store.
    enum Change: String, CaseIterable {
      case removed, emptied, garbled, halved
      /// Something else has its name.
      case file, directory, link

      func apply(to path: String) throws {
        let isDirectory = try Damage.kind(of: path) == .directory
        switch self {
        case .removed: try Programs.run("rm", "-rf", path)
        case .emptied:
          if isDirectory {
            _ = try Programs.run("sh", "-c", "rm -rf \"$0\"; mkdir \"$0\"", path)
            return
          }
          try Programs.run("rm", "-f", path)
          try Programs.run("cp", "/dev/null", path)
        case .garbled:
          guard try Damage.kind(of: path) == .file else { return try Change.file.apply(to: path) }
          // Generations share it.
          try Programs.run("cp", path, "\(path).copy")
          try Programs.run("mv", "\(path).copy", path)
          try Damage.flip(path)
        case .halved:
          guard try Damage.kind(of: path) == .file else { return try Change.directory.apply(to: path) }
          try Programs.run("cp", path, "\(path).copy")
          try Programs.run("mv", "\(path).copy", path)
          try Programs.run("truncate", "-s", "\(try contents(path).count / 2)", path)
        case .file: try Programs.run("sh", "-c", "rm -rf \"$0\"; echo stray >\"$0\"", path)
        case .directory: try Programs.run("sh", "-c", "rm -rf \"$0\"; mkdir -p \"$0/stray\"", path)
        case .link: try Programs.run("sh", "-c", "rm -rf \"$0\"; ln -s /nowhere \"$0\"", path)
        }
      }
    }

    private static let commands = [["repair"], ["boot", "repair"], ["apply"]]

    private static func chosenCommands(_ part: String) -> [[String]] {
      guard !SystemCalls.areAllTried else { return commands }
      let part = parts.firstIndex(of: part) ?? 0
      return [commands[(part + Int(SystemCalls.seed / 3 % 3)) % commands.count]]
    }

    /// The parts of a store, and whether the maps themselves go with them.
    private static let parts = [
      "current", "generations/2/manifest", "generations/2/catalog", "generations/2/maps",
      "generations/2/maps/europe/malta", "generations/2/maps/europe/malta/search.bin", "generations/2",
      "generations/1", "generations/1/manifest", "generations", "staging", "queue", "queue/worker", "trust",
      "trust/root.json", "trust/targets.json", "catalogs", "history", "events", "damage", "verification",
      "format",
    ]

    /// A part and what becomes of it.
    struct Case: CustomStringConvertible {
      let part: String
      let change: Change

      var description: String { "\(part) \(change), seed \(SystemCalls.seed)" }
    }

    private static let cases = parts.enumerated().flatMap { number, part in
      Change.allCases.enumerated().compactMap { place, change -> Case? in
        let isChosen = (number + place + Int(SystemCalls.seed % 3)) % 3 == 0
        return SystemCalls.areAllTried || isChosen ? Case(part: part, change: change) : nil
      }
    }

    @Test(
      "a damaged part of the store is repaired, or refused with the sentence that says how", arguments: cases)
    func matrix(damage: Case) throws {
      let (part, change) = (damage.part, damage.change)
      let device = try Device(sample.repository.url, settings: "at_boot = nothing")
      for commands in DamageMatrixTests.chosenCommands(part) {
        try device.copyStore(of: start)
        try change.apply(to: "\(device.root)/\(part)")
        // Which bytes a map has, only a verification finds out.
        if part.hasSuffix(".bin") && change == .garbled { #expect(try device.run("verify").exit == 24) }
        var runs: [Device.Run] = []
        for command in commands { runs.append(try device.run(command)) }
        if let last = runs.last, last.exit != 0, last.error.contains("elsewhere") {
          // Refused: it says that the file is in the way, and is done when it is not.
          #expect(last.exit == 24 || last.exit == 78, "\(commands) \(last)")
          try Programs.run("rm", "-rf", "\(device.root)/\(part)")
          runs = []
          for command in commands { runs.append(try device.run(command)) }
        }
        if part == "generations" {
          // Nothing is left of what was installed.
          #expect(
            runs.contains { $0.exit == 24 && $0.error.contains("\"tinyupdater install ID…\"") },
            "\(commands) \(runs)")
          #expect(try device.run(["install"] + SampleMaps.installed).exit == 0, "\(commands)")
        }
        if part != "generations" { #expect(runs.last?.exit == 0, "\(commands) \(runs)") }
        // The maps of the newest generation are gone with it: the one before is whole.
        if part == "generations/2" { #expect(try device.run("apply").exit == 0, "\(commands)") }
        #expect(try device.installed() == sample.expected[4], "\(commands) \(runs)")
        let verify = try device.run("verify")
        #expect(verify.exit == 0, "\(commands) \(verify)")
        let status = try device.json("status")
        #expect(try status.number("status", "damaged") == 0, "\(commands)")
        #expect(try names("\(device.root)/generations").allSatisfy { Int($0) != nil }, "\(commands)")
        #expect(try device.staged == [], "\(commands)")
      }
    }

    @Test("a lost link names the newest generation that is whole, and after a rollback the one that was left")
    func lostLink() throws {
      let device = try sample.device(at: 2, settings: "at_boot = nothing")
      #expect(try device.run("apply").exit == 0)
      #expect(try device.run("rollback").exit == 0)
      try Programs.run("rm", "\(device.root)/current")
      let boot = try device.run("boot")
      #expect(boot.exit == 0 && boot.output.contains("the link to the maps was lost; release 4"), "\(boot)")
      #expect(try device.installed() == sample.expected[4])
      // Of a generation without its manifest it is not known what is in it.
      try Programs.run("rm", "\(device.root)/current", "\(device.root)/generations/2/manifest")
      let repair = try device.run("repair")
      #expect(
        repair.exit == 0 && repair.error.contains("the link to the installed maps was lost"), "\(repair)")
      #expect(try device.installed() == sample.expected[2])
    }
  }
}
