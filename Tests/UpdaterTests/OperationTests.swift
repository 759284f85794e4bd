import Catalog
import Crypto
import DeltaApply
import MapModel
import MapTree
import Platform
import Store
import TestSupport
import Testing

@testable import Updater

/// Operations from the queue to the report, against a repository in a directory: no program, no server.
@Suite("Operations")
struct OperationTests {
  private let repository: TestRepository
  private let device: TestDevice
  private let first: [String: [UInt8]] = [
    "a/one base": mapBytes(20_000, seed: 1), "a/one poi": mapBytes(3_000, seed: 2),
    "b/two base": mapBytes(9_000, seed: 3),
  ]

  init() throws {
    repository = try TestRepository()
    device = try TestDevice(repository)
  }

  private func changed(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes[..<100]) + [1, 2, 3] + Array(bytes[100...])
  }

  // MARK: - What an operation does

  @Test("an install brings the packages of a region, and reports what it was and what it took")
  func install() throws {
    let release = try repository.publish(first, as: .packed)
    let report = try #require(try device.run(.install(["a"])))
    #expect(report.ending == .done(.changed(from: nil, to: release)))
    #expect(report.command == "install" && report.operation?.operation == .install(["a"]))
    #expect(try device.installed() == first.filter { $0.key.utf8.starts(with: "a/".utf8) })
    let plan = try #require(report.plan)
    let packed = ["a/one base", "a/one poi"].reduce(0) { $0 + (repository.entries[$1]?.packed?.size ?? 0) }
    #expect(plan.full == 2 && plan.download == packed && report.figures.fetched == packed)
    #expect(report.downloaded > packed && report.failedAttempts == 0)
    #expect(try device.names("staging") == [])
  }

  @Test("an update comes by patches where there are some, and brings every package to the release")
  func update() throws {
    try repository.publish(first, as: .packed)
    _ = try device.run(.install(["a", "b"]))
    var second = first
    second["a/one base"] = changed(first["a/one base", default: []])
    second["b/two poi"] = mapBytes(2_000, seed: 9)
    let release = try repository.publish(second, as: .patched)
    let report = try #require(try device.run(.update()))
    #expect(report.ending == .done(.changed(from: repository.releases[0], to: release)))
    #expect(report.plan?.patched == 1 && report.plan?.full == 1 && report.plan?.kept == 2)
    #expect(try device.installed() == second)
    let next = try #require(try device.run(.update()))
    #expect(next.ending == .done(.nothingToDo(at: release)) && next.plan == nil)
  }

  @Test("an uninstall removes the packages of a region without a byte from the network")
  func uninstall() throws {
    try repository.publish(first)
    _ = try device.run(.install(["a", "b"]))
    let report = try #require(try device.run(.uninstall(["a"])))
    #expect(report.plan?.removed == 2 && report.downloaded == 0)
    #expect(try device.installed() == first.filter { $0.key.utf8.starts(with: "b/".utf8) })
  }

  @Test("a container that the server lost is replaced by another payload")
  func lost() throws {
    try repository.publish(first, as: .packed)
    let packed = try #require(repository.entries["a/one base"]?.packed)
    try repository.remove(packed.url)
    var notices: [Notice] = []
    device.onEvent = { if case .notice(let notice) = $0 { notices.append(notice) } }
    _ = try device.run(.install(["a"]))
    #expect(notices == [.notServed(url: packed.url)])
    #expect(try device.installed()["a/one base"] == first["a/one base"])
  }

  // MARK: - What fails

  @Test("a payload with the wrong bytes is rejected: the maps stay, and nothing of it is resumed")
  func rejected() throws {
    try repository.publish(first)
    _ = try device.run(.install(["b"]))
    let before = try device.installed()
    let entry = try #require(repository.entries["a/one base"])
    try repository.damage(entry.url)
    let report = try #require(try device.run(.install(["a"])))
    #expect(report.ending == .failed(.wrongDigest(url: "\(repository.url)/\(entry.url)")))
    #expect(try device.installed() == before)
    #expect(try device.names("staging") == [])
    let queue = try OperationQueue(making: device.configuration.root)
    #expect(try queue.operations() == [])
    let number = try #require(report.operation?.number)
    #expect(try queue.result(number)?.exitCode == ResultCode.rejected.rawValue)
  }

  @Test("a container with a damaged frame is rejected before anything of it is used")
  func damagedContainer() throws {
    try repository.publish(first, as: .packed)
    let packed = try #require(repository.entries["a/one base"]?.packed)
    try repository.damage(packed.url)
    let report = try #require(try device.run(.install(["a"])))
    guard case .failed(.patch(_, let cause, .altered)) = report.ending, cause.contains("wrong digest") else {
      Issue.record("\(report.ending)")
      return
    }
    #expect(try device.installed() == [:])
  }

  @Test("an operation that fails for a reason that may pass stays in the queue, with its staged files")
  func unreachable() throws {
    try repository.publish(first)
    let entry = try #require(repository.entries["a/one poi"])
    try repository.remove(entry.url)
    let report = try #require(try device.run(.install(["a/one"])))
    guard case .failed(let error) = report.ending else {
      Issue.record("\(report.ending)")
      return
    }
    #expect(error.disposition == .retryLater)
    let queue = try OperationQueue(making: device.configuration.root)
    #expect(try queue.operations().map { $0.operation } == [.install(["a/one"])])
    let staged = try #require(repository.entries["a/one base"]).digest.hex
    #expect(try device.names("staging").contains(staged))
  }

  // MARK: - What is written down

  @Test("history, events and result are written without a program")
  func recorded() throws {
    let release = try repository.publish(first)
    let report = try #require(try device.run(.install(["b"])))
    let entry = try #require(try device.history().last)
    #expect(entry.command == "install" && entry.result == "Success" && entry.exitCode == 0)
    #expect(entry.from == 0 && entry.to == release.number && entry.downloaded == report.downloaded)
    #expect(entry.planned.download == 9_000 && entry.happened.download == 9_000)
    #expect(
      device.events.filter { !$0.utf8.starts(with: "progress".utf8) } == [
        "operation queued", "operation running", "plan", "component waiting", "component downloading",
        "component staged", "applying", "component installed", "operation done", "changed",
      ])
    let log = String(decoding: try device.scratch.read("store/events"), as: UTF8.self)
    #expect(log.split(separator: "\n").map { String($0) } == device.lines)
    let number = try #require(report.operation?.number)
    #expect(try OperationQueue(making: device.configuration.root).result(number)?.exitCode == 0)
  }

  @Test("a failure is in the history, by its result")
  func recordedFailure() throws {
    try repository.publish(first)
    try repository.damage(try #require(repository.entries["b/two base"]).url)
    _ = try device.run(.install(["b"]))
    let entry = try #require(try device.history().last)
    #expect(entry.result == "Rejected" && entry.exitCode == 21 && entry.to == 0)
    #expect(entry.planned.download == 9_000)
  }

  @Test("while a component is downloaded, other processes see it, and nothing afterwards")
  func active() throws {
    try repository.publish(first)
    var seen: [ActiveOperation.Component] = []
    let root = device.configuration.root
    device.onEvent = { event in
      guard case .component(_, .downloading) = event else { return }
      do { seen += try OperationQueue(making: root).active()?.components ?? [] } catch { Issue.record(error) }
    }
    _ = try device.run(.install(["a"]))
    #expect(seen.map { "\($0.name.id) \($0.name.dataGroup)" } == ["a/one base", "a/one poi"])
    #expect(seen.allSatisfy { $0.activity == .downloading })
    #expect(try OperationQueue(making: root).active() == nil)
    #expect(try !device.scratch.exists("store/queue/active"))
  }
}
