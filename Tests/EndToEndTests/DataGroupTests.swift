import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// `groups`.
  @Suite("Data groups")
  struct DataGroupTests {
    private let sample: TreeSample

    init() throws { sample = try TreeSample.shared.get() }

    private func groups(_ device: Device) throws -> [String] {
      try device.json("groups").events("group").map { event in
        "\(event["name"] ?? "") \(event["selected"] as? Bool == true ? "yes" : "no") \(event["packages"] ?? "")"
      }
    }

    private func alsace(_ device: Device) throws -> [String] {
      try names("\(device.root)/current/maps/europe/france/alsace")
    }

    @Test("B15: a selection applies to new packages at once, and to installed ones with the next apply")
    func selection() throws {
      let device = try sample.device(installing: "europe/france/alsace", "signs")
      #expect(try groups(device) == ["base yes 7", "navigation yes 1", "poi yes 3", "search yes 1"])
      #expect(try device.json("groups", "deselect", "poi", "search").exit == 0)
      #expect(try groups(device) == ["base yes 7", "navigation yes 1", "poi no 3", "search no 1"])

      // What is installed stays; what comes follows.
      #expect(try device.json("install", "europe/france", "europe/malta").exit == 0)
      #expect(try alsace(device) == ["base.bin", "navigation.bin", "poi.bin"])
      #expect(try names("\(device.root)/current/maps/europe/malta") == ["base.bin"])
      #expect(try names("\(device.root)/current/maps/europe/france/corsica") == ["base.bin"])
      let list = try device.json("list")
      #expect(try list.node("europe/france/alsace")["state"] as? String == "inconsistent")
      #expect(try list.actions("europe/france/alsace") == ["update", "uninstall"])
      #expect(try list.node("europe/malta")["state"] as? String == "installed")

      // There is no newer release, and yet something to do. A package keeps the last that it has.
      #expect(try device.json("plan").number("plan", "removed") == 1)
      #expect(try device.json("apply").exit == 0)
      #expect(try alsace(device) == ["base.bin", "navigation.bin"])
      #expect(try names("\(device.root)/current/maps/signs") == ["poi.bin"])
      #expect(try device.release() == 2)
      #expect(
        try device.json("list", "--installed").nodes.allSatisfy { $0["state"] as? String == "installed" })

      let generation = try device.current
      let again = try device.json("apply")
      #expect(again.exit == 0 && again.events("plan").isEmpty)
      #expect(try device.current == generation)

      #expect(try device.json("groups", "select", "poi").exit == 0)
      let back = try device.json("apply")
      #expect(try back.number("plan", "full") == 2)
      #expect(try alsace(device) == ["base.bin", "navigation.bin", "poi.bin"])
      #expect(try names("\(device.root)/current/maps/europe/france/corsica") == ["base.bin", "poi.bin"])
      #expect(try device.json("verify").exit == 0)
    }

    @Test("a selection applies to an update to a newer release too")
    func update() throws {
      let device = try sample.device(at: 1, installing: "europe/france/alsace")
      #expect(try device.json("groups", "deselect", "navigation").exit == 0)
      #expect(try device.json("apply").exit == 0)
      #expect(try device.release() == 2)
      #expect(try alsace(device) == ["base.bin", "poi.bin"])
    }

    @Test("before any catalog is known, any name is accepted")
    func early() throws {
      let device = try sample.device()
      #expect(try groups(device) == [])
      #expect(try device.json("groups", "deselect", "poi", "weather").exit == 0)
      #expect(try groups(device) == ["poi no 0", "weather no 0"])
      #expect(try device.json("install", "europe/france/alsace").exit == 0)
      #expect(try alsace(device) == ["base.bin", "navigation.bin"])
    }

    @Test("base cannot be deselected, and an unknown name is refused with the list of known ones")
    func refused() throws {
      let device = try sample.device(installing: "europe/malta")
      let base = try device.run("groups", "deselect", "poi", "base")
      #expect(base.exit == 64 && base.error.contains("base cannot be deselected"))
      let unknown = try device.run("groups", "deselect", "poi", "weather")
      #expect(unknown.exit == 64)
      #expect(
        unknown.error.contains(
          "there is no data group weather; the data groups are base, navigation, poi, search"))
      #expect(try groups(device).allSatisfy { $0.contains(" yes ") })
      for words in [["deselect"], ["select"], ["drop", "poi"], ["select", "a/b"], ["deselect", ".."]] {
        #expect(try device.run(["groups"] + words).exit == 64)
      }
    }

    @Test("a damaged selection is refused with its line number, and nothing is changed")
    func damaged() throws {
      let device = try sample.device(installing: "europe/malta")
      let file = try File(opening: "\(device.root)/groups", to: .replace)
      try file.write("poi\nbase\n")
      try file.close()
      let before = try device.state()
      let run = try device.run("apply")
      #expect(run.exit == 78 && run.error.contains("line 2 of its file \"groups\""), "\(run.error)")
      #expect(try device.state() == before)
    }
  }
}
