import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What `list` shows of the map tree.
  @Suite("The map tree")
  struct TreeTests {
    private let sample: TreeSample

    init() throws { sample = try TreeSample.shared.get() }

    @Test("B1: the package tree with its state, fresh after every operation")
    func tree() throws {
      let device = try sample.device()
      let empty = try device.json("list", "--tree")
      #expect(
        empty.states == [
          "region europe notInstalled", "region europe/france notInstalled",
          "package europe/france/alsace notInstalled", "package europe/france/corsica notInstalled",
          "package europe/gozo notInstalled", "region europe/italy notInstalled",
          "package europe/italy/sicily notInstalled", "package europe/malta notInstalled",
          "region pacific notInstalled", "package pacific/fiji notInstalled", "region polar notInstalled",
          "package polar/antarctica notInstalled", "package signs notInstalled",
        ])
      #expect(try device.json("install", "europe/france", "pacific/fiji").exit == 0)
      let after = try device.json("list", "--tree", "europe", "pacific")
      #expect(
        after.states == [
          "region europe partiallyInstalled", "region europe/france installed",
          "package europe/france/alsace installed", "package europe/france/corsica installed",
          "package europe/gozo notInstalled", "region europe/italy notInstalled",
          "package europe/italy/sicily notInstalled", "package europe/malta notInstalled",
          "region pacific installed", "package pacific/fiji installed",
        ])
      #expect(try device.json("uninstall", "europe/france/alsace").exit == 0)
      let last = try device.json("list", "--tree", "--depth", "2", "--installed")
      #expect(
        last.states == [
          "region europe partiallyInstalled", "region europe/france partiallyInstalled",
          "region pacific installed", "package pacific/fiji installed",
        ])
      #expect(try device.json("list", "--tree", "--depth", "1", "europe/france").states.count == 1)
      #expect(try device.json("list", "europe/gozo", "signs").states.count == 2)
      let unknown = try device.json("list", "--tree", "europe", "asia")
      #expect(unknown.exit == 64 && unknown.nodes.isEmpty)
    }

    @Test("B12: a package has parent, children, id, size on disk, and whether it is installed")
    func members() throws {
      let device = try sample.device(installing: "europe/france/alsace")
      let list = try device.json("list", "--tree")
      let (europe, france) = (try list.node("europe"), try list.node("europe/france"))
      let (alsace, corsica) = (try list.node("europe/france/alsace"), try list.node("europe/france/corsica"))
      #expect(europe["parent"] == nil && europe["children"] as? Int == 4 && europe["packages"] as? Int == 5)
      #expect(france["parent"] as? String == "europe" && france["children"] as? Int == 2)
      #expect(alsace["parent"] as? String == "europe/france" && alsace["children"] as? Int == 0)
      #expect(alsace["groups"] as? [String] == ["base", "navigation", "poi"])
      let files = ["base", "navigation", "poi"].map {
        "\(device.root)/current/maps/europe/france/alsace/\($0).bin"
      }
      let size = try files.map { try contents($0).count }.reduce(0, +)
      #expect(alsace["size"] as? Int == size && alsace["installedSize"] as? Int == size)
      #expect(corsica["installedSize"] as? Int == 0)
      for key in ["size", "installedSize", "download", "indexSize", "updateDownload"] {
        let parts = try #require([alsace[key] as? Int, corsica[key] as? Int] as? [Int])
        #expect(france[key] as? Int == parts.reduce(0, +), "\(key)")
      }
      // The table of packages has the same, and no regions.
      let flat = try device.json("list")
      #expect(flat.events("region").isEmpty && flat.events("package").count == 8)
      #expect(try flat.node("europe/france/alsace")["parent"] as? String == "europe/france")
    }

    @Test("C1: in the fine-grained tree only the packages can be operated on")
    func fineGrained() throws {
      let device = try sample.device(installing: "europe/malta")
      let list = try device.json("list", "--tree")
      #expect(list.events("region").allSatisfy { ($0["actions"] as? [String]) == [] })
      #expect(list.events("package").allSatisfy { ($0["actions"] as? [String])?.isEmpty == false })
      #expect(try list.node("europe/france/alsace")["detail"] as? Bool == true)
      #expect(try list.node("europe/malta")["detail"] == nil)
    }

    @Test(
      "C2: the composite tree hides details, counts them in their regions, and every node can be operated on")
    func composite() throws {
      let device = try sample.device(installing: "europe/malta")
      let list = try device.json("list", "--composite", "europe")
      #expect(
        list.states == [
          "region europe partiallyInstalled", "region europe/france notInstalled",
          "package europe/gozo notInstalled", "region europe/italy notInstalled",
          "package europe/italy/sicily notInstalled", "package europe/malta installed",
        ])
      #expect(try list.node("europe/france")["children"] as? Int == 0)
      #expect(try list.node("europe/france")["packages"] as? Int == 2)
      #expect(try list.actions("europe") == ["install", "uninstall"])
      #expect(try list.actions("europe/france") == ["install"])
      #expect(try device.json("install", "europe/france").exit == 0)
      let after = try device.json("list", "--composite")
      #expect(try after.node("europe/france")["state"] as? String == "installed")
      #expect(try after.actions("europe/france") == ["uninstall"])
      #expect(try device.json("uninstall", "europe").exit == 0)
      #expect(try device.json("list", "--composite", "--installed").nodes.isEmpty)
    }

    @Test("C3 C9: each node has how much is installed, whether there is an update, and how large it is")
    func states() throws {
      let device = try sample.device(at: 1, installing: "europe/france/alsace", "europe/malta", "europe/gozo")
      let before = try device.json("list", "--tree")
      #expect(before.nodes.allSatisfy { $0["updateAvailable"] as? Bool == false })
      #expect(try device.json("check").exit == 10)
      let plan = try device.json("plan")
      let list = try device.json("list", "--tree")
      let result = try list.event("result")
      #expect((result["release"] as? [String: Any])?["number"] as? Int == 1)
      #expect((result["newest"] as? [String: Any])?["number"] as? Int == 2)
      let (alsace, malta) = (try list.node("europe/france/alsace"), try list.node("europe/malta"))
      #expect(alsace["updateAvailable"] as? Bool == true && malta["updateAvailable"] as? Bool == true)
      #expect(try list.node("europe/gozo")["updateAvailable"] as? Bool == false)
      #expect(try list.node("europe/france")["state"] as? String == "partiallyInstalled")
      let sizes = try #require([alsace["updateDownload"], malta["updateDownload"]] as? [Int])
      #expect(try list.node("europe")["updateDownload"] as? Int == sizes.reduce(0, +))
      #expect(try sizes.reduce(0, +) == plan.number("plan", "download"))
      // A package that only the newest release has says so.
      let sicily = try list.node("europe/italy/sicily")
      #expect((sicily["release"] as? [String: Any])?["number"] as? Int == 2)
      #expect(sicily["state"] as? String == "notInstalled" && alsace["release"] == nil)
      #expect(
        try device.json("list", "--tree", "--updates").nodes.compactMap { $0["id"] as? String } == [
          "europe", "europe/france", "europe/france/alsace", "europe/malta",
        ])

      #expect(try device.json("apply").exit == 0)
      #expect(try device.json("list", "--updates").nodes.isEmpty)
      // A file that lost its end, and one that is gone.
      try Programs.run("truncate", "-s", "-1", "\(device.root)/current/maps/europe/malta/base.bin")
      try Programs.run("rm", "\(device.root)/current/maps/europe/france/alsace/poi.bin")
      let damaged = try device.json("list", "--tree")
      for id in ["europe", "europe/france", "europe/france/alsace", "europe/malta"] {
        #expect(try damaged.node(id)["state"] as? String == "inconsistent", "\(id)")
      }
      #expect(try damaged.node("europe/gozo")["state"] as? String == "installed")
    }

    @Test("C10: a node has a stable id and a localised name, by --lang, the environment, and else in English")
    func names() throws {
      let device = try sample.device(installing: "europe/malta")
      func name(_ id: String, _ environment: String, _ options: String...) throws -> String? {
        let run = try device.finish(
          device.start(["--json", "list", "--tree"] + options, before: ["env", environment]))
        return try run.node(id)["name"] as? String
      }
      #expect(try name("europe", "LANG=") == "Europe")
      #expect(try name("europe", "LANG=", "--lang", "de") == "Europa")
      #expect(try name("europe", "LANG=de_DE.UTF-8") == "Europa")
      #expect(try name("europe", "LC_ALL=de_AT.UTF-8", "--lang", "fr") == "Europe")
      #expect(try name("europe/france", "LC_MESSAGES=de_CH") == "Frankreich")
      #expect(try name("europe/france/alsace", "LC_ALL=de_AT.UTF-8") == "Elsaß")
      #expect(try name("europe/france/alsace", "LC_ALL=de_DE.UTF-8") == "Elsass")
      #expect(try name("europe/france/alsace", "LC_ALL=POSIX") == "Alsace")
      #expect(try name("europe/france/corsica", "LANG=de_DE.UTF-8") == "Corse")
      #expect(try name("pacific", "LANG=de_DE.UTF-8") == "")
      for language in ["", "?", "de/AT", String(repeating: "x", count: 65)] {
        #expect(try device.run("list", "--lang", language).exit == 64, "\(language)")
      }
    }

    @Test("A4: download, size on disk and the estimate of the index are known before anything is downloaded")
    func estimates() throws {
      let device = try sample.device()
      let list = try device.json("list", "europe/france")
      let alsace = try list.node("europe/france/alsace")
      #expect(alsace["indexSize"] as? Int == 3000)
      let plan = try device.json("plan", "europe/france")
      let nodes = try #require(list.nodes.map { $0["download"] } as? [Int])
      #expect(try nodes.reduce(0, +) == plan.number("plan", "download"))
      #expect(try plan.number("plan", "indexSize") == 3000)
      #expect(try device.current == nil)
    }

    @Test("A12: a download is offered only for what is new, and deletion for everything that is installed")
    func actions() throws {
      let device = try sample.device(at: 1, installing: "europe/malta", "europe/gozo")
      #expect(try device.json("check").exit == 10)
      let list = try device.json("list")
      #expect(try list.actions("europe/malta") == ["update", "uninstall"])
      #expect(try list.actions("europe/gozo") == ["uninstall"])
      #expect(try list.actions("europe/france/alsace") == ["install"])
    }

    // MARK: - For people

    private func text(_ device: Device, _ words: [String], _ locale: String) throws -> [String] {
      let run = try device.finish(device.start(words, before: ["env", "LC_ALL=\(locale)"]))
      #expect(run.exit == 0, "\(run.error)")
      return run.output.split(separator: "\n").map(String.init)
    }

    @Test(
      "the tree is drawn with lines in a UTF-8 locale and in ASCII elsewhere, and without colours in a file")
    func drawing() throws {
      let device = try sample.device(installing: "europe/malta")
      let lines = try text(device, ["list", "--tree", "europe"], "de_DE.UTF-8")
      let trees = lines.map {
        $0.prefix(30).trimmingPrefix(" ").split(separator: "  ").first.map(String.init) ?? ""
      }
      #expect(
        trees.dropLast().elementsEqual([
          "maps", "Europa (europe), 4", "├─ Frankreich (france), 2", "│", "│", "├─ Gozo (gozo)",
          "├─ italy, 1", "│",
          "└─ Malta (malta)",
        ]))
      #expect(lines[3].hasPrefix("│  ├─ Elsass (alsace)") && lines[4].hasPrefix("│  └─ Corse (corsica)"))
      #expect(lines[8].contains("installed") && lines.last == "release 2 (2026-02)")
      let plain = try text(device, ["list", "--tree", "europe"], "C")
      #expect(plain.joined().utf8.allSatisfy { $0 < 0x80 && $0 >= 0x20 })
      #expect(plain[3].hasPrefix("|  |- Alsace (alsace)") && plain[8].hasPrefix("`- Malta (malta)"))
      #expect(Set(lines.dropLast().map(\.count)).count == 1)
    }

    @Test("on a terminal the lines fit its width, in colours unless NO_COLOR or a dumb terminal forbid them")
    func terminal() throws {
      guard Programs.exists("script") else { return }
      let device = try sample.device(installing: "europe/malta")
      func lines(_ columns: Int, _ settings: String) throws -> [String] {
        try self.lines(device, columns, settings, command: "list --tree")
      }
      for columns in [40, 80] {
        let plain = try lines(columns, "TERM=xterm NO_COLOR=1")
        #expect(plain.dropLast().allSatisfy { $0.count < columns }, "\(plain)")
        #expect(plain.contains { $0.contains("└─ Malta") })
        #expect(!plain.joined().contains("\u{1b}"))
        #expect(try lines(columns, "TERM=dumb").dropLast() == plain.dropLast())
        let coloured = try lines(columns, "TERM=xterm")
        #expect(coloured.joined().contains("\u{1b}[32m"))
      }
    }

    /// What a command shows on a terminal.
    private func lines(
      _ device: Device, _ columns: Int, _ settings: String = "TERM=xterm NO_COLOR=1", command: String
    ) throws -> [String] {
      let program = "\(try Programs.tinyupdater()) --config \(device.configuration)"
      let output = try Programs.run(
        "script", "-qec", "stty cols \(columns); env LC_ALL=C.UTF-8 \(settings) \(program) \(command)",
        "/dev/null")
      return output.split(whereSeparator: \.isNewline).map(String.init)
    }

    @Test(
      "list shows titles, ids and sizes in the width of a terminal, and names from 59 columns on; a long id has its own line"
    )
    func narrowList() throws {
      guard Programs.exists("script") else { return }
      let device = try sample.device(installing: "europe/malta")
      for (columns, id, name) in [
        (40, "europe/france/alsace", nil), (50, "europe/france/alsace ", nil),
        (59, "europe/france/alsace ", "  Alsace (base,…"),
        (60, "europe/france/alsace ", "  Alsace (base,…"),
        (79, "europe/france/alsace ", "  Alsace (base, nav…"),
        (80, "europe/france/alsace ", "  Alsace…"),
        (120, "europe/france/alsace ", "  Alsace (base, navigation, poi)"),
      ] as [(Int, String, String?)] {
        let lines = try self.lines(device, columns, command: "list")
        let table = lines.dropLast()
        #expect(
          table.count == (columns == 40 ? 12 : 9) && table.allSatisfy { $0.count < columns }, "\(lines)")
        #expect(lines[0].hasPrefix("package ") && lines[0].contains("  on disk  download"), "\(lines)")
        #expect(!table.joined().contains("…pe/"), "\(lines)")
        let index = try #require(table.firstIndex { $0.hasPrefix(id) }, "\(lines)")
        if columns == 40 { #expect(table[index] == id, "\(lines)") }
        let alsace = table[columns == 40 ? index + 1 : index]
        // Nothing of it is on the disk.
        let download = try #require(device.json("list").node("europe/france/alsace")["download"] as? Int)
        let figures = "        -   \(ByteCount(UInt64(download)).text)"
        #expect(alsace.contains(figures), "\(lines)")
        #expect(name.map(alsace.hasSuffix) ?? alsace.hasSuffix(figures), "\(lines)")
      }
      // A pipe gets the packages alone.
      let piped = try device.run("list").output
      #expect(piped.split(separator: "\n").count == 9 && piped.contains("Alsace (base, navigation, poi)\n"))
    }

    @Test("groups and history fit 40 columns; a table that is too wide becomes a paragraph for each run")
    func narrowTables() throws {
      guard Programs.exists("script") else { return }
      let device = try sample.device(installing: "europe/malta")
      for columns in [40, 60] {
        let groups = try lines(device, columns, command: "groups")
        #expect(groups.allSatisfy { $0.count < columns }, "\(groups)")
        #expect(groups.contains { $0.hasPrefix("navigation ") && $0.contains(" yes ") }, "\(groups)")
        let history = try lines(device, columns, command: "history")
        #expect(history.allSatisfy { $0.count < columns }, "\(history)")
        let text = history.map { $0.trimmingPrefix("  ") }.joined(separator: " ")
        #expect(
          text.contains("Z install done, release 2, download/plan ") && text.hasSuffix(" ms"), "\(text)")
      }
      // A remark that has no room makes the table too wide, too.
      let remark = Array(repeating: "remarkable", count: 9).joined(separator: " ")
      try Programs.run("sed", "-i", "$ s/$/ \(remark)/", "\(device.root)/history")
      let long = try lines(device, 120, command: "history")
      #expect(long.count > 1 && long.allSatisfy { $0.count < 120 } && !long[0].hasPrefix("time "), "\(long)")
      let wide = try lines(device, 300, command: "history")
      #expect(wide[0].hasPrefix("time  ") && wide[1].contains("  install  done "), "\(wide)")
    }

    @Test(
      "plan shows ids, downloads and sizes in the width of a terminal, and more figures from 61 columns on")
    func narrowPlan() throws {
      guard Programs.exists("script") else { return }
      let device = try sample.device(installing: "europe/malta")
      let plan = "plan europe/france/alsace"
      let planned = try #require(device.json("plan", "europe/france/alsace").events("package").first)
      func text(_ key: String) throws -> String {
        let bytes = ByteCount(UInt64(try #require(planned[key] as? Int))).text
        return String(repeating: " ", count: 9 - bytes.utf8.count) + bytes
      }
      let (download, size, memory) = try (text("download"), text("size"), text("memory"))
      for (columns, id, isWide) in [
        (50, "europe/france/alsace ", false),
        (60, "europe/france/alsace ", false),
        (61, "europe/france/alsace", true), (79, "europe/france/alsace ", true),
        (120, "europe/france/alsace ", true),
      ] {
        let lines = try self.lines(device, columns, command: plan)
        let titles = isWide ? "  by patch   in full   on disk    memory" : "  download   on disk"
        #expect(lines[0].hasPrefix("package ") && lines[0].contains(titles), "\(lines)")
        let figures = isWide ? "         - \(download) \(size) \(memory)" : " \(download) \(size)"
        #expect(lines[1].hasPrefix(id) && lines[1].contains(figures), "\(lines)")
        #expect(lines[0...1].allSatisfy { $0.count < columns }, "\(lines)")
        #expect(lines[1].contains("base: full") == (columns == 120), "\(lines)")
      }
      let lines = try self.lines(device, 40, command: plan)
      #expect(lines[1] == "europe/france/alsace", "\(lines)")
      #expect(lines[2] == String(repeating: " ", count: 19) + " \(download) \(size)", "\(lines)")
      // Sentences are broken between words.
      #expect(lines.allSatisfy { $0.count < 40 }, "\(lines)")
      #expect(lines.contains { $0.hasPrefix("              ") && $0.hasSuffix("patches)") }, "\(lines)")
    }

    // MARK: - Size

    @Test("list --tree of 50,000 packages takes less than 6 MiB of memory")
    func large() throws {
      let scratch = try Scratch("large")
      let repository = try sample.repository.copy(to: "\(scratch.path)/repository")
      try repository.addRelease(3) { lines in lines[2...] = LargeTree.lines[...] }
      let device = try Device(repository.url, trusting: repository)
      try measure(device, ["--json", "list", "--tree"], nodes: LargeTree.packages + LargeTree.regions)
      try measure(device, ["--json", "list", "--composite", "--depth", "2"], nodes: 10 + 500)

      // In addition to an installed release, whose catalog is read too.
      let other = try sample.device(installing: "europe/malta")
      let behind = try Device(repository.url, trusting: repository)
      try behind.copyStore(of: other)
      #expect(try behind.json("check").exit == 10)
      try measure(behind, ["--json", "list", "--tree"], nodes: LargeTree.packages + LargeTree.regions + 13)
    }

    private func measure(_ device: Device, _ words: [String], nodes: Int) throws {
      _ = try device.run(words)  // the first one may fetch the catalog
      let child = try device.start(words)
      let outcome = child.wait(timeout: 60)
      let lines = outcome.output.split(separator: "\n")
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(lines.count == nodes + 1)
      let peak = try #require(lines.last?.firstMatch(of: /"peakResident":([0-9]+)/)?.1)
      #expect(try #require(Int(peak)) < 6 << 20)
    }
  }
}

/// The lines of a catalog of 50,000 packages in ten countries of fifty parts each.
private enum LargeTree {
  static let packages = 50_000
  static let regions = 10 + 10 * 50
  static let lines: [String] = {
    var lines: [String] = []
    for country in 0..<10 {
      lines.append("<region id=\"c\(country)\"><name>Country \(country)</name></region>")
      for part in 10..<60 {
        let region = "c\(country)/p\(part)"
        lines.append(
          "<region id=\"\(region)\"><name>Part \(part)</name><name xml:lang=\"de\">Teil \(part)</name></region>"
        )
        for place in 100..<200 { lines.append(component("\(region)/place-\(place)", place)) }
      }
    }
    return lines + ["</catalog>"]
  }()

  private static func component(_ id: String, _ place: Int) -> String {
    let hex = String(repeating: "0123456789abcdef", count: 4)
    return """
      <component version="1" id="\(id)" data-group="base" group="Group" country="Country" region="Part" release="3" \
      label="edited" data-size="1000\(place)" index-size="0" minimum-reader="0" size="1000\(place)" \
      sha256="\(hex)" url="components/\(hex).dat" detail="1"><name>Place \(place)</name>\
      <bounds south="35.80646" west="14.18361" north="36.08244" east="14.57615"/>\
      <packed url="payloads/\(hex).patch" size="500\(place)" head="\(hex)" memory="1310720" format="2"/></component>
      """
  }
}
