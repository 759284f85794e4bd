import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// Packages that change their ids, are split, merged or withdrawn.
  @Suite("Replaced packages")
  struct ReplacedPackagesTests {
    private let scratch: Scratch
    private let repository: PublishedRepository

    init() throws {
      scratch = try Scratch("replaced")
      repository = PublishedRepository(path: "\(scratch.path)/repository")
    }

    private var input: String { "\(scratch.path)/maps" }
    private let france = ReplacedPackagesTests.noise(1, 1 << 20)
    private let malta = ReplacedPackagesTests.noise(2, 1 << 18)

    private static func noise(_ seed: UInt64, _ count: Int) -> [UInt8] {
      var generator = SeededGenerator(seed)
      return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Writes a package, with a remark at its end so that it is another one in each release.
    private func write(_ id: String, _ bytes: some Sequence<UInt8>, replacing replaced: String = "") throws {
      try scratch.write("maps/\(id)/base.map", Array(bytes) + Array("map of \(id)".utf8))
      if !replaced.isEmpty { try scratch.write("maps/\(id)/map.xml", "<map replaces=\"\(replaced)\"/>") }
    }

    private func remove(_ id: String) throws { try Programs.run("rm", "-r", "\(input)/\(id)") }

    /// Publishes France and Malta, then France in two parts, then one of those under another name.
    private func publishSplit() throws {
      try write("europe/france", france)
      try write("europe/malta", malta)
      try repository.publish(input, label: "one")
      try remove("europe/france")
      try write("europe/france/north", france.prefix(600_000), replacing: "europe/france")
      try write("europe/france/south", france.dropFirst(600_000), replacing: "europe/france")
      try repository.publish(input, label: "two")
      try remove("europe/france/north")
      try write("europe/france/upper", france.prefix(600_000), replacing: "europe/france/north")
      try repository.publish(input, label: "three")
    }

    /// A device with packages of a release.
    private func device(
      at release: Int, with ids: [String], settings: String...
    ) throws -> Device {
      let old = try repository.copy(to: "\(scratch.path)/at-\(release)-\(UUID())", upTo: release)
      let source = try Device(old.url, trusting: repository)
      #expect(try source.run(["install"] + ids).exit == 0)
      let device = try Device(
        repository.url, trusting: repository, settings: settings.joined(separator: "\n"))
      try device.copyStore(of: source)
      return device
    }

    private func packages(_ device: Device) throws -> [String] {
      try device.installed().keys.map { String($0.dropLast("/base.map".count)) }.sorted()
    }

    @Test(
      "a device that has a package gets all that replace it by patches, also when it skips releases",
      arguments: [1, 2])
    func split(from release: Int) throws {
      try publishSplit()
      let device = try device(at: release, with: ["europe"])
      let check = try device.json("check")
      let departures = try #require(check.event("check")["departures"] as? [[String: Any]])
      let (id, successors) =
        release == 1
        ? ("europe/france", ["europe/france/south", "europe/france/upper"])
        : ("europe/france/north", ["europe/france/upper"])
      #expect(departures.map { $0["id"] as? String } == [id])
      #expect(departures[0]["by"] as? [String] == successors)
      let plan = try device.json("plan")
      #expect(try plan.number("plan", "download") < 3000)
      #expect(try (plan.event("plan")["departures"] as? [[String: Any]])?.count == 1)
      let bases = plan.events("package").flatMap { $0["payloads"] as? [[String: Any]] ?? [] }
        .compactMap { $0["base"] as? String }
      #expect(Set(bases) == ["\(id)/base.map"])
      let apply = try device.run("apply")
      #expect(apply.exit == 0 && apply.error.contains("\(id) is now \(successors.joined(separator: ", "))"))
      #expect(try packages(device) == ["europe/france/south", "europe/france/upper", "europe/malta"])
      #expect(try device.run("verify").exit == 0)
      let remark = try #require(try device.json("history").events("history").last?["remark"] as? String)
      #expect(remark.contains("\(id) is now"))
      #expect(try device.run("rollback").exit == 0)
      #expect(try packages(device).contains(id))
    }

    @Test("only devices that had a package get what replaces it")
    func others() throws {
      try publishSplit()
      let device = try device(at: 1, with: ["europe/malta"])
      #expect(try device.run("apply").exit == 0)
      #expect(try packages(device) == ["europe/malta"])
      // Its former id installs what has taken its place.
      #expect(try device.run("install", "europe/france").exit == 0)
      #expect(try packages(device) == ["europe/france/south", "europe/france/upper", "europe/malta"])
    }

    @Test(
      "an update in place makes successors beside the package that they replace, or does nothing",
      .enabled(if: Volume.isPossible, "mounting file systems takes root"))
    func inPlace() throws {
      try publishSplit()
      let volume = try Volume(megabytes: 8)
      try volume.install("europe", of: repository)
      let device = try Device(
        repository.url, root: volume.store, trusting: repository, settings: "low_space = in-place")
      try volume.fill(leaving: 800_000)
      let before = try device.state()
      let refused = try device.run("apply")
      #expect(refused.exit == 22, "\(refused)")
      #expect(try device.state() == before)
      try Programs.run("rm", "\(volume.path)/filler")
      try volume.fill(leaving: 1_300_000)
      let apply = try device.run("apply")
      #expect(apply.exit == 0, "\(apply)")
      #expect(try packages(device) == ["europe/france/south", "europe/france/upper", "europe/malta"])
      #expect(try device.run("verify").exit == 0)
    }

    @Test(
      "packages that are merged are replaced by one, and what is split off comes to those that had all of it")
    func merged() throws {
      try write("gozo", malta.prefix(100_000))
      try write("malta", malta.dropFirst(100_000))
      try repository.publish(input, label: "one")
      let both = try device(at: 1, with: ["gozo", "malta"])
      let one = try device(at: 1, with: ["gozo"])
      try remove("gozo")
      try remove("malta")
      try write("islands", malta, replacing: "gozo malta")
      try repository.publish(input, label: "two")
      for device in [both, one] {
        #expect(try device.run("apply").exit == 0)
        #expect(try packages(device) == ["islands"])
      }
      try write("islands", malta.prefix(200_000), replacing: "gozo malta")
      try write("comino", malta.dropFirst(200_000), replacing: "islands")
      try repository.publish(input, label: "three")
      let new = try Device(repository.url, trusting: repository)
      #expect(try new.run("install", "islands").exit == 0)
      #expect(try both.run("apply").exit == 0)
      #expect(try packages(both) == ["comino", "islands"])
      // Who has chosen only the rest keeps that.
      try write("islands", malta.prefix(200_000).reversed(), replacing: "gozo malta")
      try repository.publish(input, label: "four")
      #expect(try new.run("apply").exit == 0)
      #expect(try packages(new) == ["islands"])
    }

    @Test("withdrawn = hold waits for a person, and so does an update that would leave no map")
    func withdrawn() throws {
      try write("gozo", malta.prefix(100_000))
      try write("malta", malta.dropFirst(100_000))
      try repository.publish(input, label: "one")
      let holding = try device(at: 1, with: ["gozo", "malta"], settings: "withdrawn = hold")
      let removing = try device(at: 1, with: ["gozo", "malta"])
      let emptied = try device(at: 1, with: ["malta"])
      try remove("malta")
      try repository.publish(input, label: "two", allowingRemoved: 1)
      for device in [holding, emptied] {
        let before = try device.state()
        let apply = try device.json("apply")
        #expect(apply.exit == 13 && apply.output.contains("--release 2"), "\(apply)")
        #expect(try device.state() == before)
        #expect(try device.run("status").output.contains("1 (one)"))
      }
      #expect(try removing.run("apply").exit == 0)
      #expect(try packages(removing) == ["gozo"])
      #expect(try holding.run("apply", "--release", "two").exit == 0)
      #expect(try packages(holding) == ["gozo"])
      #expect(try emptied.run("apply", "--release", "two").exit == 0)
      #expect(try emptied.installed().isEmpty)
    }

    @Test("a device fetches the parts of a large catalog that list the successors")
    func parts() throws {
      for number in 100..<500 { try scratch.write("maps/world/\(number)/base.map", "map \(number)") }
      try write("africa", malta)
      try repository.publish(input, label: "one")
      let device = try device(at: 1, with: ["africa"])
      try remove("africa")
      try write("world/300-and-more", malta, replacing: "africa")
      try repository.publish(input, label: "two")
      #expect(try names("\(repository.path)/catalogs").count > 4)
      let bundle = "\(scratch.path)/bundle.tar"
      try repository.bundle(bundle, "--from", "one", "--for", "africa")
      #expect(try device.run("apply", "--from", bundle).exit == 0)
      #expect(try packages(device) == ["world/300-and-more"])
      #expect(try device.run("rollback").exit == 0)
      #expect(try packages(device) == ["africa"])
      #expect(try device.run("apply", "--release", "2").exit == 0)
      #expect(try packages(device) == ["world/300-and-more"])
    }
  }
}
