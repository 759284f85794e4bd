import Glibc
import TestSupport
import Testing

extension EndToEnd {
  /// The example of a program over `MapLoader`, in a real terminal.
  @Suite("The map manager")
  struct MapManagerTests {
    private let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    private func start(_ device: Device, columns: Int = 80, lines: Int = 24) throws -> TerminalSession {
      let path = try #require(Checkout.products.map { "\($0)/MapManager" })
      guard Checkout.isFile(path) else { throw Unmet("\(path) is missing; \"swift build\" builds it") }
      return try TerminalSession(
        """
        '\(path)' --root '\(device.root)' --socket '' --program '\(Programs.tinyupdater())' \
          --config '\(device.configuration)' --lang en
        """, columns: columns, lines: lines)
    }

    @Test("G4: it shows the tree and sizes before a download, installs, and deletes after a question")
    func installing() throws {
      let device = try sample.device(at: 4)
      let session = try start(device)
      let first = try session.wait(for: "rivers")
      #expect(first.contains("Maps: 2024-04") && first.contains("- world"), "\(first)")
      #expect(first.contains("airports") && first.contains("Installed, 126 kB"), "\(first)")
      // The last line of the tree.
      try session.press("NPage", "i")
      let question = try session.wait(for: "Install world/rivers?")
      // What the tree says, too: how many bytes a package is packed in, is not what this is about.
      let line = first.split(separator: "\n").first { $0.contains("rivers") } ?? ""
      let size = line.split(separator: " ").suffix(2).joined(separator: " ")
      #expect(
        size.hasSuffix(" kB") && question.contains("Install world/rivers? \(size) to download. y/n"),
        "\(question)")
      try session.press("n")
      try session.wait(for: "i: install")
      try session.press("i", "y")
      try session.wait(for: "Installed, 36.8 kB")
      #expect(try device.installed().keys.contains("world/rivers/base.bin"))
      try session.press("d")
      try session.wait(for: "Delete world/rivers? 36.8 kB become free. y/n")
      try session.press("y")
      try session.wait(for: "Done.")
      #expect(try !device.installed().keys.contains("world/rivers/base.bin"))
      try session.wait(for: "126 kB of 163 kB")
      try session.press("d")
      try session.wait(for: "world/rivers is not installed.")
      try session.press("q")
      #expect(try session.wait(for: "ended 0").contains("Maps:") == false)
    }

    @Test("G4: it shows the size of an update, its progress and what has changed, and cancels it")
    func updating() throws {
      let server = try WebServer(
        sample.repository.path, directives: "location ~ ^/(components|payloads)/ { limit_rate 30k; }")
      let device = try sample.device(at: 2, of: server.url)
      let session = try start(device)
      try session.wait(for: "Maps: 2024-02")
      try session.press("r")
      try session.wait(for: "u: update to 2024-04")
      try session.press("u")
      try session.wait(for: "Update to 2024-04? ")
      try session.press("y")
      try session.wait(for: "Waiting…")
      try session.wait(for: "Downloading ")
      let progress = try session.wait(for: " % of ")
      #expect(progress.contains("["), "\(progress)")
      try session.press("c")
      try session.wait(for: "Cancelled.")
      #expect(try device.release() == 2)
      try session.wait(until: "the download is gone") { !$0.contains("Downloading") }
      // What another process does is shown as well.
      let apply = try device.start(["--quiet", "apply"])
      try session.wait(for: "Downloading ")
      #expect(try device.finish(apply).exit == 0)
      try session.wait(for: "All maps are now 2024-04; they were 2024-02.")
      try session.wait(for: "Maps: 2024-04")
      try session.press("u")
      try session.wait(for: "The maps are up to date.")
      try session.press("q")
      try session.wait(for: "ended 0")
    }

    @Test("G4: failures are sentences: no connection, no space, no program")
    func failures() throws {
      let offline = try sample.device(at: 2, of: "http://127.0.0.1:9/", settings: "offline = yes")
      let first = try start(offline, columns: 120)
      try first.wait(for: "Maps: 2024-02")
      try first.press("u")
      try first.wait(for: "offline")
      let full = try sample.device(at: 4, settings: "space_reserve = 1000000G")
      let second = try start(full, columns: 120)
      try second.wait(for: "rivers")
      try second.press("NPage", "i", "y")
      try second.wait(for: "Not enough space: ")
      let path = try #require(Checkout.products.map { "\($0)/MapManager" })
      let nobody = try TerminalSession(
        "'\(path)' --socket '' --program /nonexistent/tinyupdater", columns: 80, lines: 12)
      try nobody.wait(for: "/nonexistent/tinyupdater")
      try nobody.press("q")
      try nobody.wait(for: "ended 0")
    }

    @Test("G4: it fits into 40 columns, follows another size, and gives the terminal back upon a signal")
    func terminal() throws {
      let device = try sample.device(at: 4)
      let session = try start(device, columns: 40, lines: 10)
      let narrow = try session.wait(for: "airports")
      #expect(narrow.split(separator: "\n").allSatisfy { $0.unicodeScalars.count <= 40 }, "\(narrow)")
      #expect(narrow.contains("Installed, 126 kB"))
      try session.press("?")
      try session.wait(for: "update all maps")
      try session.press("Escape")
      try session.resize(columns: 100, lines: 20)
      try session.wait(for: "c: cancel  ?: keys  q: quit")
      // A region is closed and opened again.
      try session.press("Enter")
      try session.wait(for: "+ europe")
      #expect(!session.screen.contains("iceland"))
      try session.press("Enter")
      try session.wait(for: "iceland")
      try session.press("g")
      try session.wait(for: "[x] search")
      try session.press("Down", "Down", "Space")
      try session.wait(for: "[ ] search")
      try session.signal(SIGTERM, to: "MapManager.*\(device.root)")
      #expect(try session.wait(for: "ended 0").contains("Maps:") == false)

      let piped = try ChildProcess.run(
        try #require(Checkout.products.map { "\($0)/MapManager" }), ["--root", device.root])
      #expect(piped.status == 64 && piped.error.contains("terminal"), "\(piped)")
    }
  }
}
