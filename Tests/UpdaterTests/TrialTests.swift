import Glibc
import MapModel
import Platform
import Store
import TestSupport
import Testing

@testable import Updater

/// Releases on trial, and releases that are blocked.
@Suite("Trial")
struct TrialTests {
  private let repository: TestRepository
  private let device: TestDevice
  private let maps: [String: [UInt8]] = [
    "a base": mapBytes(5_000, seed: 1), "b base": mapBytes(6_000, seed: 2),
  ]

  /// A device at release 1 that tries newer ones; release 2 is there.
  init() throws {
    repository = try TestRepository()
    device = try TestDevice(repository)
    device.configuration.trial.isOn = true
    device.configuration.trial.starts = 2
    try repository.publish(maps)
    _ = try device.run(.install(["a"]))
    try publish()
  }

  private func publish() throws {
    try repository.publish(maps.mapValues { $0 + [UInt8(repository.releases.count)] })
  }

  private func release(_ number: Int) -> Release { repository.releases[number - 1] }
  private func boot() throws -> Readiness { try device.makeUpdater().makeReady() }
  private func record() throws -> TrialRecord { try Store(opening: device.configuration.root).trialRecord() }
  private func installed() throws -> Release? {
    try Store(opening: device.configuration.root).currentRelease()?.release
  }

  private func apply(_ name: String? = nil) throws -> OperationReport.Ending {
    try #require(try device.run(.update(to: name.flatMap { ReleaseName($0) }))).ending
  }

  /// Sets a health command made of shell.
  private func check(_ script: String) throws {
    try device.scratch.write("health", Array("#!/bin/sh\n\(script)\n".utf8))
    let path = "\(device.scratch.path)/health"
    #expect(chmod(path, 0o755) == 0)
    device.configuration.trial.health.command = path
  }

  @Test("the first release of a device is not on trial")
  func first() throws {
    #expect(try record() == TrialRecord())
    #expect(try boot() == .ready(release(1)))
  }

  @Test("without trial = yes nothing is on trial")
  func off() throws {
    device.configuration.trial.isOn = false
    _ = try apply()
    #expect(try record() == TrialRecord() && boot() == .ready(release(2)))
  }

  @Test("a newer release that is not confirmed has its starts, then the device goes back and keeps to that")
  func starts() throws {
    #expect(try apply() == .done(.changed(from: release(1), to: release(2))))
    #expect(device.events.contains("trial begun"))
    #expect(try record().trials == [Trial(of: 2, wayBack: 1)])
    for start in 1...2 { #expect(try boot() == .onTrial(release(2), starts: UInt64(start), of: 2)) }
    #expect(device.events.last == "boot on-trial")
    let history = try device.history().count
    #expect(try boot() == .rolledBack(from: release(2), to: release(1), .starts(2)))
    #expect(try device.installed() == maps.filter { $0.key == "a base" })
    #expect(device.events.suffix(2) == ["boot rolled-back", "changed"])
    let entry = try #require(try device.history().last)
    #expect(try device.history().count == history + 1)
    #expect(entry.command == "boot" && entry.result == "rolled-back" && entry.from == 2 && entry.to == 1)
    #expect(entry.text == "2 starts without a confirmation")
    // From here on nothing brings it back but a newer one.
    #expect(try boot() == .ready(release(1)))
    #expect(try apply() == .done(.nothingToDo(at: release(1))))
    let result = try device.makeUpdater().check()
    #expect(result.blocked?.release == release(2) && !result.isUpdateAvailable && result.newest == release(2))
    try publish()
    #expect(try device.makeUpdater().check().isUpdateAvailable)
    #expect(try apply() == .done(.changed(from: release(1), to: release(3))))
    #expect(try boot() == .onTrial(release(3), starts: 1, of: 2))
  }

  @Test("confirm ends the trial, gives up the way back, and forgets what is blocked")
  func confirmed() throws {
    _ = try apply()
    #expect(try boot() == .onTrial(release(2), starts: 1, of: 2))
    #expect(try device.makeUpdater().confirm() == Confirmation(trial: release(2), hasRemoved: true))
    #expect(device.events.last == "trial confirmed")
    for _ in 0..<4 { #expect(try boot() == .ready(release(2))) }
    #expect(try record() == TrialRecord())
    #expect(try device.makeUpdater().confirm() == Confirmation(trial: nil, hasRemoved: false))
  }

  @Test("a manual rollback blocks the release that was left, until a user names it", arguments: ["r2", "2"])
  func manual(name: String) throws {
    device.configuration.trial.isOn = false
    _ = try apply()
    _ = try device.makeUpdater().rollBack()
    #expect(try record().block(of: 2)?.reason == .rollback)
    #expect(try apply() == .done(.nothingToDo(at: release(1))))
    #expect(device.events.contains("release-blocked"))
    #expect(
      try apply("r3")
        == .failed(.notOffered("r3", newest: release(2).text)))
    #expect(try apply("r1") == .done(.nothingToDo(at: release(1))))
    #expect(try apply(name) == .done(.changed(from: release(1), to: release(2))))
    #expect(try apply(name) == .done(.nothingToDo(at: release(2))))
    #expect(try apply("1") == .failed(.notOffered("1", newest: release(2).text)))
    // It is not the attempt that was left.
    device.configuration.trial.isOn = true
    #expect(try boot() == .ready(release(2)))
  }

  @Test("a release that a user named is on trial again, in spite of the block")
  func again() throws {
    _ = try apply()
    _ = try device.makeUpdater().rollBack()
    _ = try apply("r2")
    #expect(try boot() == .onTrial(release(2), starts: 1, of: 2))
    #expect(try boot() == .onTrial(release(2), starts: 2, of: 2))
    #expect(try boot() == .rolledBack(from: release(2), to: release(1), .starts(2)))
    #expect(try record().blocked.map(\.reason) == [.starts(2)])
  }

  @Test("a rollback within a release blocks nothing")
  func sameRelease() throws {
    _ = try apply()
    _ = try device.makeUpdater().confirm()
    _ = try device.run(.install(["b"]))
    _ = try device.makeUpdater().rollBack()
    #expect(try record() == TrialRecord() && installed() == release(2))
  }

  @Test("an install during a trial continues it, and the way back stays the confirmed generation")
  func install() throws {
    _ = try apply()
    #expect(try boot() == .onTrial(release(2), starts: 1, of: 2))
    _ = try device.run(.install(["b"]))
    #expect(try record().trial(of: 3) == Trial(of: 3, wayBack: 1, starts: 1))
    #expect(try device.names("generations") == ["1", "3"])
    #expect(try boot() == .onTrial(release(2), starts: 2, of: 2))
    #expect(try boot() == .rolledBack(from: release(2), to: release(1), .starts(2)))
    #expect(try device.installed() == maps.filter { $0.key == "a base" })
  }

  @Test("an update during a trial begins another one, and the way back stays the confirmed generation")
  func update() throws {
    _ = try apply()
    #expect(try boot() == .onTrial(release(2), starts: 1, of: 2))
    try publish()
    _ = try apply()
    #expect(try record().trial(of: 3) == Trial(of: 3, wayBack: 1))
    #expect(try device.names("generations") == ["1", "3"])
    for start in 1...2 { #expect(try boot() == .onTrial(release(3), starts: UInt64(start), of: 2)) }
    #expect(try boot() == .rolledBack(from: release(3), to: release(1), .starts(2)))
    #expect(try installed() == release(1))
  }

  @Test("an install that would have to go to a blocked release is refused")
  func installElsewhere() throws {
    _ = try apply()
    _ = try device.makeUpdater().rollBack()
    try repository.withdraw(1)
    guard case .failed(.releaseBlocked(let sentence)) = try #require(try device.run(.install(["b"]))).ending
    else {
      Issue.record("it was not refused")
      return
    }
    #expect(try sentence.hasPrefix(release(2).text) && installed() == release(1))
  }

  @Test("without a way back the release stays, and its trial is over")
  func noWayBack() throws {
    _ = try apply()
    for start in 1...2 { #expect(try boot() == .onTrial(release(2), starts: UInt64(start), of: 2)) }
    try device.scratch.write("store/generations/1/manifest", Array("torn".utf8))
    #expect(try boot() == .ready(release(2)))
    #expect(device.events.contains("notice"))
    #expect(try record() == TrialRecord())
  }

  @Test("a departure that was decided before a power loss is finished, without asking again")
  func departure() throws {
    _ = try apply()
    try check("exit 0")
    let root = device.configuration.root
    let block = BlockedRelease(release(2), generation: 2, time: 5, reason: .exited(3))
    try LockedStore(opening: root).changeTrialRecord { $0.block(block) }
    #expect(try boot() == .rolledBack(from: release(2), to: release(1), .exited(3)))
    #expect(try record().blocked == [block])
  }

  @Test("a damaged record ends the trial and blocks nothing, and neither boot nor apply fails")
  func damaged() throws {
    _ = try apply()
    try device.scratch.write("store/trial", Array("torn".utf8))
    #expect(try boot() == .ready(release(2)))
    try publish()
    #expect(try apply() == .done(.changed(from: release(2), to: release(3))))
    #expect(try boot() == .onTrial(release(3), starts: 1, of: 2))
  }

  // MARK: - The health command

  @Test("the health command gets the generation and its release, and its success confirms nothing")
  func healthy() throws {
    try check("echo \"$1 $TINYUPDATER_RELEASE $TINYUPDATER_STARTS\" >>\(device.scratch.path)/notes")
    #expect(try boot() == .ready(release(1)))
    _ = try apply()
    for start in 1...2 { #expect(try boot() == .onTrial(release(2), starts: UInt64(start), of: 2)) }
    let path = "\(device.configuration.root)/generations/2"
    #expect(try String(decoding: device.scratch.read("notes"), as: UTF8.self) == "\(path) 2 1\n\(path) 2 2\n")
    #expect(try !device.scratch.exists("store/health.log"))
    #expect(try boot() == .rolledBack(from: release(2), to: release(1), .starts(2)))
  }

  @Test(
    "a health command that fails, is killed or takes too long takes the device back at once",
    arguments: [
      ("exit 3", BlockedRelease.Reason.exited(3)), ("kill -SEGV $$", .killed(signal: SIGSEGV)),
      ("sleep 60", .overTime(seconds: 1)),
    ])
  func unhealthy(script: String, reason: BlockedRelease.Reason) throws {
    try check(script)
    device.configuration.trial.health.seconds = 1
    _ = try apply()
    #expect(try boot() == .rolledBack(from: release(2), to: release(1), reason))
    #expect(try record().block(of: 2)?.reason == reason)
    #expect(try boot() == .ready(release(1)))
    #expect(try !device.scratch.exists("store/health.log"))
  }

  @Test("a health command that cannot be started says nothing about the maps")
  func unknown() throws {
    device.configuration.trial.health.command = "/nonexistent"
    _ = try apply()
    #expect(try boot() == .onTrial(release(2), starts: 1, of: 2))
    #expect(device.events.contains("notice"))
  }

  @Test("a talkative health command leaves no more than a bounded file, and nothing in the end")
  func talkative() throws {
    try check("head -c 3000000 /dev/zero | tr '\\0' x; exit 0")
    _ = try apply()
    #expect(try boot() == .onTrial(release(2), starts: 1, of: 2))
    #expect(try !device.scratch.exists("store/health.log"))
  }
}
