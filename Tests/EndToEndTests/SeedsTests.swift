import Glibc
import MapLoader
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// The rows of `docs/seeds.md`, as calls of the libraries for Swift and for C.
  @Suite("The operations of other map loaders")
  struct SeedsTests {
    private let sample: Sample
    private let tree: TreeSample

    init() throws {
      sample = try Sample.shared.get()
      tree = try TreeSample.shared.get()
    }

    /// How a navigation program reaches the maps.
    enum Way: CaseIterable { case service, program }

    static let languages = NavigationProgram.Language.allCases

    /// A navigation program on a device, and the service where it uses one.
    private final class Setting {
      let device: Device
      let program: NavigationProgram
      private let service: ChildProcess?
      private let scratch: Scratch

      init(
        _ language: NavigationProgram.Language, _ way: Way, _ make: (_ settings: String) throws -> Device
      ) throws {
        scratch = try Scratch("navigation")
        chmod(scratch.path, 0o755)
        let socket = way == .service ? "\(scratch.path)/socket" : ""
        device = try make(way == .service ? "socket = \(socket)" : "")
        service = way == .service ? try device.start(["serve"]) : nil
        if way == .service {
          let end = Clock.milliseconds + 10_000
          while access(socket, F_OK) != 0 && Clock.milliseconds < end { Clock.sleep(milliseconds: 5) }
        }
        program = try NavigationProgram(language, device, socket: socket)
      }

      func finish() throws {
        guard let service else { return }
        service.signal(SIGTERM)
        #expect(try device.finish(service).exit == 0)
      }
    }

    // MARK: - NMAMapLoader

    @Test(
      "G4, C1: getMapPackages, rootPackage and the members of a package are the tree",
      arguments: languages, Way.allCases)
    func packages(_ language: NavigationProgram.Language, _ way: Way) throws {
      let setting = try Setting(language, way) {
        try tree.device(at: 1, installing: "europe/malta", settings: $0)
      }
      let nodes = try setting.program.tree()
      let malta = try #require(nodes.first { $0.id == "europe/malta" })
      #expect(malta.parent == "europe" && !malta.isRegion && malta.name == "Malta")
      #expect(malta.state == "installed" && malta.size == 40_000 && malta.installedSize == 40_000)
      let europe = try #require(nodes.first { $0.id == "europe" })
      #expect(europe.isRegion && europe.parent == nil && europe.state == "partiallyInstalled")
      #expect(nodes.first { $0.id == "europe/gozo" }?.download ?? 0 > 0)
      #expect(malta.bounds == [35.8, 14.1, 36.1, 14.6])
      #expect(nodes.first { $0.id == "pacific/fiji" }?.bounds == [-21, 176, -12, -178])
      #expect(europe.bounds == [] && nodes.first { $0.id == "polar/antarctica" }?.bounds == [])
      // Depth first, parents before their children, as the command line has it.
      #expect(
        nodes.map(\.id) == (try setting.device.json("list", "--tree").nodes.map { $0["id"] as? String }))
      try setting.finish()
    }

    @Test(
      "G4, C2: getMapPackageAtGeoCoordinates is the smallest package at a place", arguments: languages,
      Way.allCases)
    func coordinates(_ language: NavigationProgram.Language, _ way: Way) throws {
      let setting = try Setting(language, way) {
        try tree.device(installing: "europe/malta", settings: $0)
      }
      #expect(try setting.program.package(at: 35.9, 14.2) == "europe/malta")
      #expect(try setting.program.package(at: 36.05, 14.25) == "europe/gozo")
      #expect(try setting.program.package(at: -15, 179.5) == "pacific/fiji")
      #expect(try setting.program.package(at: -15, -179.5) == "pacific/fiji")
      #expect(try setting.program.package(at: 10, 10) == nil)
      try setting.finish()
    }

    @Test(
      "G4, G7: maps follow the position that a program tells, and it finds what is around a place",
      arguments: languages, Way.allCases)
    func position(_ language: NavigationProgram.Language, _ way: Way) throws {
      let setting = try Setting(language, way) {
        try tree.device(installing: "signs", settings: "area_radius = 20K", $0)
      }
      let program = setting.program
      #expect(try program.packages(near: 36.05, 14.2, within: 20_000) == ["europe/gozo", "europe/malta"])
      #expect(try program.packages(near: 0, 0, within: 20_000) == [])
      #expect(try program.rings(of: "europe/malta") == [3])
      #expect(try program.rings(of: "europe/gozo") == nil)
      #expect(try program.make(.position(36.05, 14.2)) == .success)
      #expect(try program.make(.update) == .success)
      let installed = try program.tree().filter { !$0.isRegion && $0.state == "installed" }
      #expect(installed.map(\.id) == ["europe/gozo", "europe/malta", "signs"])
      #expect(try program.make(.position(100, 14.2)).result == "InvalidParameters")
      try setting.finish()
    }

    @Test(
      "G4, G5: a program has a release staged, and activates it later", arguments: languages, Way.allCases)
    func staging(_ language: NavigationProgram.Language, _ way: Way) throws {
      let setting = try Setting(language, way) { try sample.device(at: 2, settings: $0) }
      #expect(try setting.program.make(.activate).result == "InvalidParameters")
      #expect(try setting.program.make(.stage) == .success)
      #expect(try setting.program.status().release == 2)
      #expect(try setting.program.make(.activate) == .success)
      #expect(try setting.program.status().release == 4)
      try setting.finish()
    }

    @Test(
      "G4: installMapPackages and uninstallMapPackages return when they are done, or say why not",
      arguments: languages, Way.allCases)
    func installing(_ language: NavigationProgram.Language, _ way: Way) throws {
      let setting = try Setting(language, way) { try tree.device(settings: $0) }
      #expect(try setting.program.make(.install(["europe/france", "pacific/fiji"])) == .success)
      #expect(
        try setting.device.installed().keys.sorted().first == "europe/france/alsace/base.bin")
      #expect(try setting.program.make(.uninstall(["europe/france"])) == .success)
      #expect(try setting.device.installed().keys.sorted() == ["pacific/fiji/base.bin"])
      let unknown = try setting.program.make(.install(["no/such"]))
      #expect(unknown.result == "InvalidParameters")
      #expect(unknown.message.contains("no/such"))
      let missing = try setting.program.make(.uninstall(["europe/malta"]))
      #expect(missing.result == "InvalidParameters" && missing.message.contains("not installed"))
      try setting.finish()
    }

    @Test(
      "G4: checkForMapDataUpdate, getMapDataUpdateSize and performMapDataUpdate, and back again",
      arguments: languages, Way.allCases)
    func updating(_ language: NavigationProgram.Language, _ way: Way) throws {
      let setting = try Setting(language, way) { try sample.device(at: 2, settings: $0) }
      #expect(try setting.program.check() == [1, 2, 4])
      let size = try #require(try setting.program.updateSize())
      #expect(size == (try setting.device.json("plan").number("plan", "download")) && size > 0)
      #expect(try setting.program.make(.update) == .success)
      #expect(try setting.device.installed() == sample.expected[4])
      #expect(try setting.program.check() == [0, 4, 4])
      #expect(try setting.program.updateSize() == nil)
      #expect(try setting.program.make(.rollBack) == .success)
      #expect(try setting.device.installed() == sample.expected[2])
      #expect(try setting.program.make(.update) == .success)
      #expect(try setting.program.make(.confirm) == .success)
      #expect(try setting.program.make(.rollBack).result == "InvalidParameters")
      try setting.finish()
    }

    @Test(
      "G4: selectDataGroup, deselectDataGroup and isDataGroupSelected", arguments: languages, Way.allCases)
    func dataGroups(_ language: NavigationProgram.Language, _ way: Way) throws {
      let setting = try Setting(language, way) {
        try tree.device(installing: "europe/malta", settings: $0)
      }
      #expect(
        try setting.program.groups() == ["base": true, "navigation": true, "poi": true, "search": true])
      #expect(try setting.program.make(.deselect(["search"])) == .success)
      #expect(try setting.program.groups()["search"] == false)
      #expect(try setting.program.make(.update) == .success)
      #expect(try setting.device.installed().keys.sorted() == ["europe/malta/base.bin"])
      #expect(try setting.program.make(.select(["search"])) == .success)
      #expect(try setting.program.groups()["search"] == true)
      #expect(try setting.program.make(.select(["no-such"])).result == "InvalidParameters")
      try setting.finish()
    }

    @Test(
      "G4: didUpdateProgress, mapLoaderDidLoseConnection and mapLoaderDidFindConnection are events",
      arguments: languages, Way.allCases)
    func connection(_ language: NavigationProgram.Language, _ way: Way) throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let setting = try Setting(language, way) {
        try sample.device(at: 2, of: server.url, settings: $0, "retries = 40", "retry_delay = 200")
      }
      // As many attempts as it takes until the server is back.
      var next: WebServer?
      var outcome: (() throws -> NavigationProgram.Outcome)?
      var isBack = false
      let names = try setting.program.observe(
        {
          outcome = try setting.program.begin(.update)
          let watcher = try setting.device.start(["watch"])
          _ = watcher.waitForLine(with: "\"state\":\"downloading\",\"done\"")
          server.kill()
          _ = watcher.waitForLine(with: "connection-lost")
          next = try WebServer(sample.repository.path, port: server.port)
          isBack = true
          watcher.signal(SIGTERM)
        }, until: { $0 == "operation done" })
      #expect(isBack && next != nil)
      #expect(try outcome?() == .success)
      // Progress comes once a second: of the operation, before its plan or after that.
      #expect(names.drop { $0 != "operation running" }.contains("progress"), "\(names)")
      let order = [
        "state", "operation running", "plan", "connection-lost", "connection-found", "applying",
      ]
      var rest = names[...]
      for name in order {
        let found = rest.firstIndex(of: name)
        #expect(found != nil, "\(name) in \(names)")
        rest = rest[(found ?? rest.startIndex)...]
      }
      #expect(try setting.device.installed() == sample.expected[4])
      try setting.finish()
    }

    @Test(
      "G4: cancelCurrentOperation ends the operation with OperationCancelled, and nothing is left",
      arguments: languages, Way.allCases)
    func cancelling(_ language: NavigationProgram.Language, _ way: Way) throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let setting = try Setting(language, way) { try sample.device(at: 2, of: server.url, settings: $0) }
      let before = try setting.device.state()
      for byNumber in [false, true] {
        let outcome = try setting.program.begin(.update)
        try wait { try setting.program.status().running != nil }
        let running = try #require(try setting.program.status().running)
        #expect(
          try setting.program.make(byNumber ? .cancelOperation(running) : .cancel([])) == .success)
        #expect(try outcome().result == "OperationCancelled")
        #expect(try setting.program.status().waiting.isEmpty)
      }
      #expect(try setting.device.state() == before)
      #expect(try setting.device.staged == [])
      // What has ended, or never was, is cancelled without a word.
      #expect(try setting.program.make(.cancelOperation(4711)) == .success)
      try setting.finish()
    }

    @Test("G4: a task that is cancelled cancels its operation, and gets to know so", arguments: Way.allCases)
    func cancelledTask(_ way: Way) throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let setting = try Setting(.swift, way) { try sample.device(at: 2, of: server.url, settings: $0) }
      var options = MapLoader.Options()
      options.root = setting.device.root
      options.socket = setting.program.socket
      options.program = try Programs.tinyupdater()
      options.configuration = setting.device.configuration
      let loader = try MapLoader(options)
      let task = Task { try await loader.update() }
      try wait { try setting.program.status().running != nil }
      task.cancel()
      #expect(throws: MapError.self) { try wait(for: { try await task.value }) }
      #expect(try setting.program.status().running == nil)
      #expect(try setting.program.status().waiting.isEmpty)
      #expect(try setting.device.release() == 2)
      // One that is cancelled before it has begun asks for nothing.
      let other = Task { () -> MapNode? in
        while !Task.isCancelled { await Task.yield() }
        return try await loader.package(at: Coordinate(latitude: 1, longitude: 1))
      }
      other.cancel()
      #expect(throws: MapError.self) { _ = try wait(for: { try await other.value }) }
      try setting.finish()
    }

    // MARK: - Results

    @Test("G4: every failure is a result of its own, with a sentence", arguments: languages, Way.allCases)
    func results(_ language: NavigationProgram.Language, _ way: Way) throws {
      let offline = try Setting(language, way) {
        try sample.device(at: 2, of: "http://127.0.0.1:9/", settings: $0, "offline = yes")
      }
      let refused = try offline.program.make(.update)
      #expect(refused.result == "ConnectionFailed" && refused.message.contains("offline"), "\(refused)")
      #expect(try offline.program.make(.check).result == "ConnectionFailed")
      // Without a connection the tree and the maps are there all the same.
      #expect(try offline.program.tree().contains { $0.id == "europe/malta" && $0.state == "installed" })
      try offline.finish()

      let full = try Setting(language, way) {
        try sample.device(at: 2, settings: $0, "space_reserve = 1000000G")
      }
      let short = try full.program.make(.install(["world/rivers"]))
      #expect(short.result == "OutOfSpace", "\(short)")
      #expect(try #require(short.needed) > 0 && short.available == 0)
      try full.finish()
    }

    @Test("G4: a user outside of the group gets PermissionDenied, and one in it the maps")
    func permission() throws {
      let setting = try Setting(.c, .service) { try sample.device(at: 2, settings: $0, "socket_group = 2") }
      for (group, command, exit) in [(3, "tree", 77), (3, "update", 77), (2, "tree", 0), (2, "rollback", 77)]
      {
        let run = try setting.program.run(
          command, as: ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--groups=\(group)"])
        #expect(run.exit == Int32(exit), "\(group) \(command): \(run.output) \(run.error)")
        #expect((run.events.last?["result"] as? String == "PermissionDenied") == (exit == 77))
      }
      try setting.finish()
    }

    @Test(
      "G4: without a service and without a program there is a sentence, and no wait", arguments: languages)
    func nothing(_ language: NavigationProgram.Language) throws {
      let device = try sample.device(at: 2)
      let program = try NavigationProgram(
        language, device, socket: "/nonexistent/socket", program: "/nonexistent/program")
      let outcome = try program.make(.update)
      #expect(outcome.message.contains("/nonexistent/program"), "\(outcome)")
      #expect(outcome.result == "InitializationFailed")
      // An observer gets the error as well, and nothing waits.
      var options = MapLoader.Options()
      (options.root, options.socket, options.program) = (device.root, "", "")
      let changes = try MapLoader(options).changes
      #expect(throws: MapError.self) { try wait(for: { for try await _ in changes {} }) }
    }

    // MARK: - NDSStoreUpdater

    @Test(
      "G4: the composite graph hides details, and each of its nodes has actions", arguments: languages,
      Way.allCases)
    func composite(_ language: NavigationProgram.Language, _ way: Way) throws {
      let setting = try Setting(language, way) {
        try tree.device(at: 1, installing: "europe/france/alsace", "europe/malta", settings: $0)
      }
      #expect(try setting.program.check()[0] == 1)
      let fine = try setting.program.tree()
      let composite = try setting.program.tree(composite: true)
      #expect(fine.contains { $0.id == "europe/france/alsace" })
      #expect(!composite.contains { $0.id == "europe/france/alsace" })
      let france = try #require(composite.first { $0.id == "europe/france" })
      #expect(france.state == "partiallyInstalled" && france.actions == ["install", "update", "uninstall"])
      #expect(france.isUpdateAvailable && france.updateSize > 0)
      #expect(fine.first { $0.id == "europe/france" }?.actions == [])
      try setting.finish()
    }

    @Test(
      "G4: an observer first gets the current structure and states, then what changes", arguments: languages,
      Way.allCases)
    func observers(_ language: NavigationProgram.Language, _ way: Way) throws {
      let setting = try Setting(language, way) {
        try tree.device(at: 1, installing: "europe/malta", settings: $0)
      }
      var outcome: (() throws -> NavigationProgram.Outcome)?
      let states = Counter()
      let names = try setting.program.observe(
        { outcome = try setting.program.begin(.update) },
        until: { $0 == "state" && states.next() == 2 })
      #expect(try outcome?() == .success)
      #expect(names.first == "state")
      let events = names.filter { $0 != "maps" && $0 != "progress" && $0 != "component" }
      #expect(
        events == [
          "state", "operation queued", "operation running", "plan", "applying", "operation done", "changed",
          "state",
        ], "\(names)")
      // Swift programs also get to know it from the store itself.
      if language == .swift { #expect(names.contains("maps")) }
      try setting.finish()
    }

    @Test(
      "G4: what a user asks for goes before an automatic update, which waits and is cancelled by id",
      arguments: languages, Way.allCases)
    func order(_ language: NavigationProgram.Language, _ way: Way) throws {
      let server = try WebServer(
        sample.repository.path, directives: "location ~ ^/(components|payloads)/ { limit_rate 2k; }")
      let setting = try Setting(language, way) { try sample.device(at: 2, of: server.url, settings: $0) }
      let update = try setting.program.begin(.update)
      try wait { try setting.program.status().running != nil }
      let automatic = try #require(try setting.program.status().running)
      let install = try setting.program.begin(.install(["world/rivers"]))
      try wait { try setting.program.status().waiting.contains(automatic) }
      #expect(try setting.program.tree().contains { $0.id == "world/rivers" && $0.actions == ["cancel"] })
      #expect(try setting.program.make(.cancel(["world/rivers"])) == .success)
      let cancelled = try install()
      #expect(cancelled.result == "OperationCancelled", "\(cancelled)")
      #expect(try setting.program.make(.cancel([])) == .success)
      #expect(try update().result == "OperationCancelled")
      #expect(try setting.device.release() == 2)
      try setting.finish()
    }
  }
}

/// Counts on whatever thread.
final class Counter: @unchecked Sendable {
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}
