import MapModel
import Platform
import Store
import TestSupport
import Transport

@testable import Updater

/// A device with a store of its own, as an embedder of `Updater` sees it: there is no program.
final class TestDevice {
  let scratch: Scratch
  var configuration = Configuration()
  /// What the updater has published: the lines for other processes.
  private(set) var lines: [String] = []
  /// Called with each event.
  var onEvent: (UpdateEvent) -> Void = { _ in }

  init(_ repository: TestRepository) throws {
    scratch = try Scratch("device")
    configuration.root = "\(scratch.path)/store"
    configuration.repository = repository.url
    configuration.trustedRoot = repository.rootPath
    configuration.base = "\(scratch.path)/base"
    configuration.transport.retries = 0
    configuration.spaceReserve = 0
  }

  /// An updater that looks at the queue at every beat.
  func makeUpdater() throws(Failure) -> Updater {
    let publisher = ActivityPublisher(
      configuration.root, echo: { self.lines.append($0) }, observe: { self.onEvent($0) })
    return try Updater(configuration, events: publisher, heartbeat: Heartbeat(interval: 0))
  }

  /// Submits an operation and carries out the next one of the queue.
  func run(_ operation: Operation) throws -> OperationReport? {
    let updater = try makeUpdater()
    let number = try updater.enqueue(operation)
    return try updater.runNextOperation(submittedAs: number)
  }

  // MARK: - What is there

  /// The bytes of the installed components by their names, such as "a/b base".
  func installed() throws -> [String: [UInt8]] {
    let store = try Store(opening: configuration.root)
    let generation = try store.current()
    guard !generation.isEmpty else { return [:] }
    var files: [String: [UInt8]] = [:]
    var manifest = try generation.manifest()
    while let component = try manifest.next() {
      files[component.name.front] = try contents(
        "\(configuration.root)/current/\(component.path)")
    }
    return files
  }

  /// The lines of the history.
  func history() throws -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    try History(opening: configuration.root).forEachEntry { entries.append($0) }
    return entries
  }

  /// The names in a directory of the store; none if it is missing.
  func names(_ directory: String) throws -> [String] {
    try scratch.exists("store/\(directory)") ? scratch.names("store/\(directory)") : []
  }

  /// The events that were published, as "EVENT STATE".
  var events: [String] {
    lines.map { line in
      let event = TestDevice.member("event", of: line) ?? ""
      return TestDevice.member("state", of: line).map { "\(event) \($0)" } ?? event
    }
  }

  private static func member(_ name: String, of line: String) -> String? {
    guard let start = line.firstRange(of: "\"\(name)\":\"")?.upperBound else { return nil }
    return String(line[start...].prefix { $0 != "\"" })
  }
}
