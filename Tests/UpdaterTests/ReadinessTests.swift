import Catalog
import MapModel
import Platform
import Store
import TestSupport
import Testing

@testable import Updater

/// The start of a device, and the way back.
@Suite("Readiness")
struct ReadinessTests {
  private let repository: TestRepository
  private let device: TestDevice
  private let maps: [String: [UInt8]] = [
    "a base": mapBytes(5_000, seed: 1), "b base": mapBytes(6_000, seed: 2),
  ]

  init() throws {
    repository = try TestRepository()
    device = try TestDevice(repository)
    try repository.publish(maps)
  }

  @Test("a new device adopts the packages that came with it complete, and writes that down")
  func adopted() throws {
    device.configuration.base = repository.scratch.path
    device.configuration.repository = nil
    try repository.remove(try #require(repository.entries["b base"]).url)
    let release = repository.releases[0]
    #expect(try device.makeUpdater().makeReady() == .adopted(release))
    #expect(try device.installed() == maps.filter { $0.key == "a base" })
    let entry = try #require(try device.history().last)
    #expect(entry.command == "boot" && entry.result == "adopted" && entry.to == release.number)
    #expect(device.events.suffix(2) == ["boot adopted", "changed"])
    #expect(try device.names("staging") == [])
    #expect(try device.makeUpdater().makeReady() == .ready(release))
    #expect(try device.history().count == 1)
  }

  @Test("a device without a base map is ready and empty")
  func empty() throws {
    #expect(try device.makeUpdater().makeReady() == .empty)
    #expect(try device.history() == [] && device.events == ["boot empty"])
  }

  @Test("a rollback goes to the release before and is written down; confirming gives it up")
  func rollback() throws {
    _ = try device.run(.install(["a"]))
    let newer = maps.mapValues { $0 + [1] }
    try repository.publish(newer)
    _ = try device.run(.update())
    let report = try device.makeUpdater().rollBack()
    let (old, new) = (repository.releases[0], repository.releases[1])
    #expect(report.ending == .done(.changed(from: new, to: old)) && report.command == "rollback")
    #expect(try device.installed() == maps.filter { $0.key == "a base" })
    let entry = try #require(try device.history().last)
    #expect(entry.command == "rollback" && entry.from == 2 && entry.to == 1 && entry.downloaded == 0)
    #expect(device.events.last == "changed")
    #expect(try device.makeUpdater().confirm().hasRemoved)
    #expect(try device.makeUpdater().rollBack().ending == .failed(.nothingToRollBack))
    #expect(try !device.makeUpdater().confirm().hasRemoved)
  }

  @Test("a manifest that is lost with the maps falls back to the generation before")
  func fallenBack() throws {
    _ = try device.run(.install(["a"]))
    try repository.publish(maps.mapValues { $0 + [1] })
    _ = try device.run(.update())
    try device.scratch.write("store/current/manifest", "torn")
    try Directory(opening: "\(device.scratch.path)/store/current/maps").removeTree("a")
    #expect(try device.makeUpdater().makeReady() == .fellBack(repository.releases[0]))
    #expect(try device.installed() == maps.filter { $0.key == "a base" })
    #expect(try device.history().last?.result == "fell-back")
  }

  @Test("a check finds a newer release, and says so in an event")
  func checked() throws {
    _ = try device.run(.install(["a"]))
    try repository.publish(maps.mapValues { $0 + [1] })
    let result = try device.makeUpdater().check()
    #expect(result.isUpdateAvailable && result.newest == repository.releases[1])
    #expect(device.events.last == "check")
  }
}
