import Dispatch
import Foundation
import MapLoader
import TestSupport
import Testing

/// What a navigation program does with a library: the same in Swift and in C.
struct NavigationProgram {
  /// Which library it uses.
  enum Language: CaseIterable { case swift, c }

  let language: Language
  private let device: Device
  let socket: String
  private let program: String
  private let loader: MapLoader

  /// - `socket`: of a service; without one, the libraries start the program.
  init(_ language: Language, _ device: Device, socket: String = "", program: String? = nil) throws {
    self.language = language
    self.device = device
    self.socket = socket
    self.program = try program ?? Programs.tinyupdater()
    var options = MapLoader.Options()
    options.root = device.root
    options.socket = socket
    options.program = self.program
    options.configuration = device.configuration
    options.language = "en"
    loader = try MapLoader(options)
  }

  /// How something ended.
  struct Outcome: Equatable {
    let result: String
    let message: String
    var needed: Int?
    var available: Int?

    static var success: Outcome { Outcome(result: "Success", message: "") }
  }

  /// A node of the tree.
  struct Node: Equatable {
    let id: String
    let isRegion: Bool
    let parent: String?
    let name: String
    let state: String
    let actions: Set<String>
    let size: Int
    let installedSize: Int
    let download: Int
    let isUpdateAvailable: Bool
    let updateSize: Int
    let bounds: [Double]
  }

  // MARK: - Questions

  func tree(composite: Bool = false) throws -> [Node] {
    switch language {
    case .swift:
      try wait { [loader] in try await loader.tree(composite ? .composite : .fine).nodes }.map(Node.init)
    case .c: try answer(composite ? "composite" : "tree").compactMap(Node.init)
    }
  }

  /// The id of the package at a place; nil if there is none.
  func package(at latitude: Double, _ longitude: Double) throws -> String? {
    switch language {
    case .swift:
      let place = Coordinate(latitude: latitude, longitude: longitude)
      return try wait { [loader] in try await loader.package(at: place)?.id }
    case .c: return try answer("at", "\(latitude)", "\(longitude)").compactMap(Node.init).last?.id
    }
  }

  /// The ids of the packages within so many metres of a place.
  func packages(near latitude: Double, _ longitude: Double, within metres: Int) throws -> [String] {
    switch language {
    case .swift:
      let place = Coordinate(latitude: latitude, longitude: longitude)
      return try wait { [loader] in try await loader.packages(near: place, within: metres).map(\.id) }
    case .c:
      return try answer("near", "\(latitude)", "\(longitude)", "\(metres)").compactMap(Node.init).map(\.id)
    }
  }

  /// The number of corners of each ring of a package's polygon.
  func rings(of id: String) throws -> [Int]? {
    switch language {
    case .swift: return try wait { [loader] in try await loader.polygons(of: [id])[id]?.rings.map(\.count) }
    case .c:
      var rings: [Int] = []
      for event in try answer("polygons", id) where event["event"] as? String == "polygon" {
        guard event["id"] as? String == id, let ring = event["ring"] as? Int else { return nil }
        if ring == rings.count { rings.append(0) }
        rings[ring] += (event["corners"] as? [Double])?.count ?? 0
      }
      return rings.isEmpty ? nil : rings.map { $0 / 2 }
    }
  }

  /// Whether there is an update, and the numbers of both releases.
  func check() throws -> [Int?] {
    switch language {
    case .swift:
      let check = try wait { [loader] in try await loader.checkForUpdate() }
      return [
        check.isAvailable ? 1 : 0, check.installed.map { Int($0.number) },
        check.newest.map { Int($0.number) },
      ]
    case .c:
      let check = try #require(answer("check").first { $0["event"] as? String == "check" })
      let number = { (name: String) in (check[name] as? [String: Any])?["number"] as? Int }
      return [check["available"] as? Bool == true ? 1 : 0, number("from"), number("to")]
    }
  }

  /// Bytes that an update downloads.
  func updateSize() throws -> Int? {
    switch language {
    case .swift: try wait { [loader] in try await loader.planUpdate()?.downloadSize }.map { Int($0) }
    case .c: try answer("plan").last { $0["event"] as? String == "plan" }?["download"] as? Int
    }
  }

  /// The data groups, and whether they are selected.
  func groups() throws -> [String: Bool] {
    switch language {
    case .swift:
      let groups = try wait { [loader] in try await loader.dataGroups() }
      return Dictionary(uniqueKeysWithValues: groups.map { ($0.name, $0.isSelected) })
    case .c:
      let groups = try answer("groups").filter { $0["event"] as? String == "group" }
      return Dictionary(
        uniqueKeysWithValues: groups.map { ($0["name"] as? String ?? "", $0["selected"] as? Bool ?? false) })
    }
  }

  /// The number of the installed release, and the operations that run and wait.
  func status() throws -> (release: Int?, running: Int?, waiting: [Int]) {
    switch language {
    case .swift:
      let status = try wait { [loader] in try await loader.status() }
      return (
        status.release.map { Int($0.number) }, status.running.map { Int($0.id) },
        status.waiting.map { Int($0.id) }
      )
    case .c:
      let status = try #require(answer("status").first { $0["event"] as? String == "status" })
      let waiting = status["waiting"] as? [[String: Any]] ?? []
      return (
        (status["release"] as? [String: Any])?["number"] as? Int,
        (status["running"] as? [String: Any])?["operation"] as? Int,
        waiting.compactMap { $0["operation"] as? Int }
      )
    }
  }

  // MARK: - Changes

  /// What changes something.
  enum Request {
    case install([String]), uninstall([String]), update, cancel([String]), cancelOperation(Int)
    case select([String]), deselect([String]), rollBack, confirm, repair, check
    case stage, activate, position(Double, Double)

    fileprivate var words: [String] {
      switch self {
      case .install(let ids): ["install"] + ids
      case .uninstall(let ids): ["uninstall"] + ids
      case .update: ["update"]
      case .cancel(let ids): ["cancel"] + ids
      case .cancelOperation(let number): ["cancel-operation", "\(number)"]
      case .select(let groups): ["select"] + groups
      case .deselect(let groups): ["deselect"] + groups
      case .rollBack: ["rollback"]
      case .confirm: ["confirm"]
      case .repair: ["repair"]
      case .check: ["check"]
      case .stage: ["stage"]
      case .activate: ["activate"]
      case .position(let latitude, let longitude): ["position", "\(latitude)", "\(longitude)"]
      }
    }

    fileprivate func make(of loader: MapLoader) async throws(MapError) {
      switch self {
      case .install(let ids): try await loader.install(ids)
      case .uninstall(let ids): try await loader.uninstall(ids)
      case .update: try await loader.update()
      case .cancel(let ids): try await loader.cancel(ids)
      case .cancelOperation(let number): try await loader.cancel(operation: UInt64(number))
      case .select(let groups): try await loader.select(groups)
      case .deselect(let groups): try await loader.deselect(groups)
      case .rollBack: try await loader.rollBack()
      case .confirm: try await loader.confirm()
      case .repair: try await loader.repair()
      case .check: _ = try await loader.checkForUpdate()
      case .stage: try await loader.stage()
      case .activate: try await loader.activate()
      case .position(let latitude, let longitude):
        try await loader.notePosition(Coordinate(latitude: latitude, longitude: longitude))
      }
    }
  }

  func make(_ request: Request) throws -> Outcome { try begin(request)() }

  /// Makes a request and goes on; what is returned waits for its end.
  func begin(_ request: Request) throws -> () throws -> Outcome {
    switch language {
    case .swift:
      let task = Task { [loader] in try await request.make(of: loader) }
      return {
        do {
          try wait { try await task.value }
          return .success
        } catch let error as MapError {
          return Outcome(
            result: error.result.name, message: error.message, needed: error.needed.map { Int($0) },
            available: error.available.map { Int($0) })
        }
      }
    case .c:
      let child = try start(request.words)
      return {
        let result = try #require(Device.finish(child).events.last)
        return Outcome(
          result: result["result"] as? String ?? "", message: result["message"] as? String ?? "",
          needed: result["needed"] as? Int, available: result["available"] as? Int)
      }
    }
  }

  // MARK: - Observing

  /// Begins to observe; `until` is called with the name of each event until it returns true, and the names are returned.
  ///
  /// Names are those of events; `state` stands for a whole state, and an operation's is followed by its state.
  func observe(
    _ begun: () throws -> Void = {}, until isLast: @escaping @Sendable (String) -> Bool
  ) throws -> [String] {
    switch language {
    case .swift:
      let names = Names()
      let (changes, isBegun) = (loader.changes, DispatchSemaphore(value: 0))
      let task = Task {
        for try await change in changes {
          let name = change.name
          await names.add(name)
          isBegun.signal()
          if isLast(name) { return }
        }
      }
      isBegun.wait()
      try begun()
      try wait { try await task.value }
      return try wait { await names.all }
    case .c:
      let child = try start(["watch"])
      var names: [String] = []
      var isState = false
      var isBegun = false
      while let line = child.waitForLine(with: "{") {
        let event = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let name = event["event"] as? String ?? ""
        if name == "state" { isState = true }
        if isState && name != "ready" { continue }
        isState = false
        let shown =
          name == "ready"
          ? "state" : name == "operation" ? "operation \(event["state"] as? String ?? "")" : name
        names.append(shown)
        if !isBegun { try begun() }
        isBegun = true
        if isLast(shown) { break }
      }
      child.signal(SIGTERM)
      _ = child.wait()
      return names
    }
  }

  private actor Names {
    private(set) var all: [String] = []
    func add(_ name: String) { all.append(name) }
  }

  // MARK: - The program in C

  private func answer(_ words: String...) throws -> [[String: Any]] {
    let run = try Device.finish(start(words))
    let result = try #require(run.events.last, "\(run.error)")
    guard run.exit == 0 || run.exit == 10 else {
      throw Unmet("\(words): \(result)")
    }
    #expect(result["exit"] as? Int == run.exit.map { Int($0) })
    return run.events
  }

  /// Makes one request with the program in C as another user: `before` are words in front of it.
  func run(_ command: String, as before: [String]) throws -> Device.Run {
    try Device.finish(start([command], before: before))
  }

  private func start(_ words: [String], before: [String] = []) throws -> ChildProcess {
    let all =
      try before + [NavigationLibrary.program(), device.root, socket, program, device.configuration] + words
    return try ChildProcess(all[0], Array(all[1...]))
  }
}

/// The library for C, and programs that use it.
enum NavigationLibrary {
  private static let compiled = Result { () throws -> String in
    let library = try directory()
    let path = "\(Scratch.base)/tinyupdater-navigation-\(getpid())"
    atexit { _ = try? Programs.run("rm", "-f", "\(Scratch.base)/tinyupdater-navigation-\(getpid())") }
    try compile(
      "\(Checkout.root)/Tests/EndToEndTests/navigation/navigation.c", to: path,
      ["-I\(library)/include", "\(library)/lib/libtinyupdater.a"])
    return path
  }

  /// A navigation program, compiled once.
  static func program() throws -> String { try compiled.get() }

  /// Where the library is.
  static func directory() throws(Unmet) -> String {
    let path =
      ProcessInfo.processInfo.environment["TINYUPDATER_LIBRARY_DIRECTORY"] ?? "\(Checkout.root)/build/library"
    guard Checkout.isFile("\(path)/lib/libtinyupdater.a") else {
      throw Unmet("\(path) has no library; \"make library\" builds it")
    }
    return path
  }

  static func compile(_ source: String, to program: String, _ flags: [String]) throws {
    let words =
      ["-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", program, source] + flags
    let outcome = try ChildProcess.run(Programs.exists("cc") ? "cc" : "clang", words)
    #expect(outcome.status == 0, "\(outcome.error)")
  }
}

extension NavigationProgram.Node {
  init(_ node: MapNode) {
    self.init(
      id: node.id, isRegion: node.kind == .region, parent: node.parent, name: node.name,
      state: node.state.rawValue,
      actions: Set(node.actions.map { $0.rawValue }), size: Int(node.size),
      installedSize: Int(node.installedSize),
      download: Int(node.downloadSize), isUpdateAvailable: node.isUpdateAvailable,
      updateSize: Int(node.updateSize),
      bounds: node.bounds.map { [$0.south, $0.west, $0.north, $0.east] } ?? [])
  }

  /// Nil if the event is of something else.
  init?(_ event: [String: Any]) {
    guard let kind = event["event"] as? String, kind == "region" || kind == "package" else { return nil }
    let number = { (name: String) in event[name] as? Int ?? 0 }
    self.init(
      id: event["id"] as? String ?? "", isRegion: kind == "region", parent: event["parent"] as? String,
      name: event["name"] as? String ?? "", state: event["state"] as? String ?? "",
      actions: Set(event["actions"] as? [String] ?? []), size: number("size"),
      installedSize: number("installedSize"),
      download: number("download"), isUpdateAvailable: event["updateAvailable"] as? Bool ?? false,
      updateSize: number("updateDownload"),
      bounds: (event["bounds"] as? [Any])?.compactMap { ($0 as? NSNumber)?.doubleValue } ?? [])
  }
}

extension MapChange {
  /// The name of its event.
  var name: String {
    switch self {
    case .state: "state"
    case .operation(let operation): "operation \(operation.state.rawValue)"
    case .plan: "plan"
    case .component: "component"
    case .progress: "progress"
    case .connectionLost: "connection-lost"
    case .connectionFound: "connection-found"
    case .applying: "applying"
    case .changed: "changed"
    case .maps: "maps"
    case .notice: "notice"
    case .other(let name, _): name
    }
  }
}

/// Waits for a task on this thread, which is this test's alone.
func wait<Value: Sendable>(for body: @escaping @Sendable () async throws -> Value) throws -> Value {
  let semaphore = DispatchSemaphore(value: 0)
  let box = ResultBox<Value>()
  Task.detached {
    do { box.result = .success(try await body()) } catch { box.result = .failure(error) }
    semaphore.signal()
  }
  semaphore.wait()
  return try #require(box.result).get()
}

private final class ResultBox<Value: Sendable>: @unchecked Sendable {
  var result: Result<Value, any Error>?
}
