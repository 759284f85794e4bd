import Foundation
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// `area_radius`: packages that come and go because of the place of the device.
  @Suite("Areas")
  struct AreaTests {
    private let sample: TreeSample
    private let scratch: Scratch
    private static let day = 86_400

    init() throws {
      sample = try TreeSample.shared.get()
      scratch = try Scratch("area")
    }

    private func device(_ settings: String..., installing ids: String...) throws -> Device {
      let device = try sample.device(settings: (["area_radius = 20K"] + settings).joined(separator: "\n"))
      if !ids.isEmpty { #expect(try device.run(["install"] + ids).exit == 0) }
      return device
    }

    private func packages(_ device: Device) throws -> [String] {
      Set(try device.installed().keys.map { String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) })
        .sorted()
    }

    /// The packages that are there because of the place, as `list` says it.
    private func arrivals(_ device: Device) throws -> [String] {
      try device.json("list", "--installed").nodes.filter { $0["area"] != nil }.compactMap {
        $0["id"] as? String
      }
    }

    private func drive(_ device: Device, to latitude: String, _ longitude: String) throws {
      try device.ageArea(by: 3600)
      let run = try device.json("position", latitude, longitude)
      #expect(try run.event("result")["noted"] as? Bool == true, "\(run)")
    }

    /// A limit that leaves so many bytes: there is a smallest one, and something in the store takes the rest.
    private func limit(of device: Device, leaving rest: Int) throws -> Int {
      let used = try device.used()
      let limit = max(1 << 20, used + rest)
      try Data(repeating: 1, count: limit - rest - used).write(
        to: URL(fileURLWithPath: "\(device.root)/ballast"))
      return limit
    }

    @Test(
      "G7: what lies around the device comes with the next update, at the release of the device, and says why"
    )
    func arrival() throws {
      let device = try device(installing: "signs")
      #expect(try device.run("apply").exit == 0)
      #expect(try packages(device) == ["signs"])
      try drive(device, to: "36.05", "14.2")
      let plan = try device.json("plan")
      #expect(try plan.event("area")["coming"] as? [String] == ["europe/gozo", "europe/malta"])
      #expect(try device.run("plan").output.contains("around        2 packages come ("))
      #expect(try device.run("plan").output.contains("): europe/gozo, europe/malta\n"))
      let run = try device.json("apply")
      #expect(run.exit == 0 && run.events("changed").count == 1, "\(run)")
      #expect(try packages(device) == ["europe/gozo", "europe/malta", "signs"])
      #expect(try arrivals(device) == ["europe/gozo", "europe/malta"])
      #expect(try device.run("list").output.contains("by area"))
      #expect(try device.run("list").output.contains("Malta (base, search), since 20"))
      let area = try #require(try device.json("status").event("status")["area"] as? [String: Any])
      #expect(area["packages"] as? Int == 2 && area["radius"] as? Int == 20_000)
      #expect(try device.run("status").output.contains("20 km around 36.05 14.2 since "))
      // Nothing more, and no line of the history for that.
      let before = try device.run("history").output
      let again = try device.json("apply")
      #expect(again.exit == 0 && again.events("changed").isEmpty)
      #expect(
        try device.run("history").output.components(separatedBy: " area ").count
          == before.components(separatedBy: " area ").count)
    }

    @Test("a device without any map fills itself, and an update takes what came along")
    func filling() throws {
      let settings = "area_radius = 20K"
      let device = try sample.device(settings: settings)
      let old = try Device(
        sample.repository.copy(to: "\(scratch.path)/one", upTo: 1).url, root: device.root,
        trusting: sample.repository, settings: settings)
      try drive(old, to: "36.05", "14.2")
      #expect(try old.run("apply").exit == 0)
      #expect(try device.release() == 1 && packages(device) == ["europe/gozo", "europe/malta"])
      #expect(try device.run("apply").exit == 0)
      #expect(try device.release() == 2 && packages(device) == ["europe/gozo", "europe/malta"])
      #expect(try arrivals(device) == ["europe/gozo", "europe/malta"])
    }

    @Test("what the device has left goes when area_keep is over, what was asked for stays")
    func departure() throws {
      let device = try device("area_keep = 7d", installing: "signs", "europe/gozo")
      try drive(device, to: "36.05", "14.2")
      #expect(try device.run("apply").exit == 0)
      #expect(try arrivals(device) == ["europe/malta"])
      try drive(device, to: "-17", "179.9")
      #expect(try device.run("apply").exit == 0)
      #expect(try arrivals(device) == ["europe/malta", "pacific/fiji"])
      try device.ageArea(by: 6 * AreaTests.day)
      #expect(try device.run("apply").exit == 0)
      #expect(try arrivals(device) == ["europe/malta", "pacific/fiji"])
      try device.ageArea(by: 2 * AreaTests.day)
      let run = try device.json("apply")
      #expect(try run.event("area")["going"] as? [String] == ["europe/malta"], "\(run.output)")
      #expect(try arrivals(device) == ["pacific/fiji"])
      #expect(try packages(device) == ["europe/gozo", "pacific/fiji", "signs"])
      // As long as it stays, what is there is needed, however long that is.
      try device.ageArea(by: 400 * AreaTests.day)
      #expect(try device.run("apply").exit == 0)
      #expect(try arrivals(device) == ["pacific/fiji"])
      #expect(try device.run("rollback").exit == 0)
    }

    @Test("what a user installs or uninstalls, the area leaves alone")
    func claims() throws {
      let device = try device("area_keep = 1d", installing: "signs")
      try drive(device, to: "36.05", "14.2")
      #expect(try device.run("apply").exit == 0)
      // It is there; now somebody wants it.
      #expect(try device.run("install", "europe/malta").exit == 0)
      #expect(try arrivals(device) == ["europe/gozo"])
      #expect(try device.run("uninstall", "europe/gozo").exit == 0)
      #expect(try device.json("apply").events("changed").isEmpty)
      #expect(try packages(device) == ["europe/malta", "signs"])
      try drive(device, to: "-17", "179.9")
      try device.ageArea(by: 3 * AreaTests.day)
      #expect(try device.run("apply").exit == 0)
      #expect(try packages(device) == ["europe/malta", "pacific/fiji", "signs"])
      // By now it may come again.
      try drive(device, to: "36.05", "14.2")
      #expect(try device.run("apply").exit == 0)
      #expect(try arrivals(device) == ["europe/gozo", "pacific/fiji"])
    }

    @Test("under a limit, what no visit has needed longest goes first, and the limit holds")
    func quota() throws {
      let plain = try device(installing: "signs")
      try drive(plain, to: "36.05", "14.2")  // two packages, three components
      #expect(try plain.run("apply").exit == 0)
      try drive(plain, to: "48.5", "7.7")  // Alsace, three components
      #expect(try plain.run("apply").exit == 0)
      #expect(try arrivals(plain) == ["europe/france/alsace", "europe/gozo", "europe/malta"])
      let limit = try limit(of: plain, leaving: 90 << 10)
      let device = try Device(
        sample.repository.url, root: plain.root, trusting: sample.repository,
        settings: "area_radius = 20K", "storage_limit = \(limit)")
      try drive(device, to: "42.0", "9.0")  // Corsica, two components
      // Malta and Gozo were left first.
      let run = try device.json("apply")
      #expect(run.exit == 0)
      #expect(try run.event("area")["makesRoom"] as? Bool == true, "\(run.output)")
      let left = try arrivals(device)
      #expect(left.contains("europe/france/corsica") && left.contains("europe/france/alsace"), "\(left)")
      #expect(!left.contains("europe/malta") || !left.contains("europe/gozo"), "\(left)")
      #expect(try plain.used() <= limit)
      #expect(try packages(device).contains("signs"))
      // Where nothing may go, nothing comes, and the update is done.
      let strict = try Device(
        sample.repository.url, root: plain.root, trusting: sample.repository,
        settings: "area_radius = 20K", "storage_limit = \(limit)", "low_space = refuse")
      try drive(strict, to: "-17", "179.9")
      let refused = try strict.json("apply")
      #expect(refused.exit == 0 && refused.events("changed").isEmpty, "\(refused.output)")
      #expect(try arrivals(strict) == left)
    }

    @Test(
      "an update that has no room takes that of packages that came by themselves and are not needed, first")
    func updateEvicts() throws {
      let settings = "area_radius = 20K"
      let plain = try sample.device(at: 1, installing: "europe/malta", settings: settings)
      let old = try Device(
        sample.repository.copy(to: "\(scratch.path)/one", upTo: 1).url, root: plain.root,
        trusting: sample.repository,
        settings: settings)
      try drive(old, to: "48.5", "7.7")
      #expect(try old.run("apply").exit == 0)
      #expect(try packages(old) == ["europe/france/alsace", "europe/malta"])
      try drive(old, to: "0", "0")
      let limit = try limit(of: plain, leaving: 80 << 10)
      func limited(_ more: String...) throws -> Device {
        try Device(
          sample.repository.url, root: plain.root, trusting: sample.repository,
          settings: settings, "storage_limit = \(limit)", more.joined(separator: "\n"))
      }
      let before = try plain.installed()
      #expect(try limited("low_space = refuse").run("apply").exit == 22)
      #expect(try plain.installed() == before)
      let run = try limited().json("apply")
      #expect(run.exit == 0, "\(run.output)")
      #expect(try run.event("area")["going"] as? [String] == ["europe/france/alsace"])
      #expect(try plain.release() == 2 && packages(plain) == ["europe/malta"])
      #expect(try plain.used() <= limit)
      #expect(try plain.run("verify").exit == 0)
    }

    @Test("while a release is on trial, the way back is given up for nothing, and no package for an install")
    func trial() throws {
      let settings = "area_radius = 20K\ntrial = yes"
      let plain = try sample.device(at: 1, installing: "europe/malta", settings: settings)
      let old = try Device(
        sample.repository.copy(to: "\(scratch.path)/one", upTo: 1).url, root: plain.root,
        trusting: sample.repository, settings: settings)
      try drive(old, to: "48.5", "7.7")
      #expect(try old.run("apply").exit == 0)
      try drive(old, to: "0", "0")
      #expect(try plain.run("apply").exit == 0)
      #expect(try plain.json("status").event("status")["trial"] != nil)
      let limit = try limit(of: plain, leaving: 20 << 10)
      func limited(_ trial: String) throws -> Device {
        try Device(
          sample.repository.url, root: plain.root, trusting: sample.repository,
          settings: "area_radius = 20K\ntrial = \(trial)", "storage_limit = \(limit)")
      }
      let device = try limited("yes")
      #expect(try device.json("plan", "pacific/fiji").event("plan")["giving"] == nil)
      // Without a trial it would be.
      let giving = try limited("no").json("plan", "pacific/fiji").event("plan")["giving"]
      #expect(giving as? [String] == ["europe/france/alsace"])
      #expect(try device.run("install", "pacific/fiji").exit == 22)
      #expect(try packages(device) == ["europe/france/alsace", "europe/malta"])
      let run = try device.run("rollback")
      #expect(run.exit == 0, "\(run)")
      #expect(try device.release() == 1)
    }

    @Test("what waits already is not queued again, and waits for its turn")
    func queuedOnce() throws {
      let device = try device(installing: "signs")
      try drive(device, to: "36.05", "14.2")
      try scratch.write("operation", "tinyupdater-operation 1\narea\nend\n")
      try Programs.run("cp", "\(scratch.path)/operation", "\(device.root)/queue/50")
      let run = try device.json("apply")
      #expect(
        run.exit == 0 && run.events("area").count == 1 && run.events("changed").count == 1, "\(run.output)")
      #expect(run.events("operation").filter { $0["state"] as? String == "queued" }.count == 1)
      #expect(try names("\(device.root)/queue").filter { UInt64($0) != nil } == [])
      #expect(try arrivals(device) == ["europe/gozo", "europe/malta"])
    }

    @Test("a route brings what lies along it, until another one is given")
    func route() throws {
      let device = try device(installing: "signs")
      try scratch.write("route.geojson", #"{"type":"LineString","coordinates":[[9.0,42.0],[14.2,36.05]]}"#)
      let path = "\(scratch.path)/route.geojson"
      #expect(try device.json("position", "--route", path).event("result")["noted"] as? Bool == true)
      #expect(try device.json("position", "--route", path).event("result")["noted"] as? Bool == false)
      #expect(try device.run("apply").exit == 0)
      let found = try arrivals(device)
      #expect(found.contains("europe/france/corsica") && found.contains("europe/malta"), "\(found)")
      #expect(try device.json("position", "--route", "none").event("result")["noted"] as? Bool == true)
      #expect(try device.run("apply").exit == 0)
      #expect(try arrivals(device) == found)
      #expect(try device.run("position", "--route", "\(device.configuration)").exit == 64)
    }

    @Test("a position is written at most every ten minutes, and not while the device stays where it is")
    func position() throws {
      let device = try device(installing: "signs")
      func noted(_ latitude: String, _ longitude: String) throws -> Bool {
        let noted = try device.json("position", latitude, longitude).event("result")["noted"]
        return try #require(noted as? Bool as Bool?)
      }
      #expect(try device.run("position").output == "the place is not known\n")
      #expect(try noted("36.05", "14.2"))
      #expect(try !noted("36.06", "14.2"))
      #expect(try !noted("37", "14.2"))
      try device.ageArea(by: 601)
      #expect(try !noted("36.06", "14.2"))
      #expect(try noted("37", "14.2"))
      // A clock that was set back does not stop it.
      try device.ageArea(by: -100_000)
      #expect(try noted("38", "14.2"))
      #expect(try device.run("position").output.hasPrefix("38 14.2 since "))
      // Back where it was: the place is in the list once.
      try device.ageArea(by: 601)
      #expect(try noted("36.05", "14.2"))
      let text = try String(contentsOfFile: "\(device.root)/area/visits", encoding: .utf8)
      #expect(text.components(separatedBy: "visit ").count == 4, "\(text)")
      for words in [["position", "91", "0"], ["position", "1"], ["position", "x", "y"]] {
        #expect(try device.run(words).exit == 64)
      }
      #expect(
        try sample.device(installing: "signs").run("position", "1", "1").error.contains(
          "area_radius is not set"))
    }

    @Test("files of the area that are damaged or foreign keep nothing from its maps")
    func damaged() throws {
      let device = try device("area_keep = 1d", installing: "signs")
      try drive(device, to: "36.05", "14.2")
      #expect(try device.run("apply").exit == 0)
      try drive(device, to: "-17", "179.9")
      try device.ageArea(by: 2 * AreaTests.day)
      for name in ["packages", "visits", "route"] {
        let path = "\(device.root)/area/\(name)"
        let whole = FileManager.default.contents(atPath: path)
        for bytes in [
          Data(), Data("tinyupdater-area 1\nnear x\nend\n".utf8), Data(repeating: 0xff, count: 700_000),
        ] {
          try bytes.write(to: URL(fileURLWithPath: path))
          let run = try device.run("apply")
          #expect(run.exit == 0, "\(run)")
          #expect(try device.run("list").exit == 0)
          #expect(try device.run("status").exit == 0)
        }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(try device.run("apply").exit == 0)
        try FileManager.default.removeItem(atPath: path)
        if name == "packages" { #expect(try packages(device).contains("europe/malta")) }
        if let whole { try whole.write(to: URL(fileURLWithPath: path)) }
      }
      #expect(try device.run("position", "36.05", "14.2").exit == 0)
    }
  }
}
