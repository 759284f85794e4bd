import Crypto
import MapModel
import Platform
import TestSupport
import Testing

@testable import Store

@Suite("TrialRecord")
struct TrialRecordTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("trial") }

  private func open() throws(Failure) -> LockedStore {
    try LockedStore(opening: "\(scratch.path)/store")
  }

  private func blocked(
    _ number: UInt64, from generation: UInt64 = 8, _ reason: BlockedRelease.Reason = .rollback
  ) -> BlockedRelease {
    BlockedRelease(
      Release(number: number, label: "r\(number)"), generation: generation, time: 1_719_807_007,
      reason: reason)
  }

  /// A record with everything that a record can have.
  private var full: TrialRecord {
    TrialRecord(
      trials: [Trial(of: 8, wayBack: 6, starts: 2), Trial(of: 9, wayBack: 6)],
      blocked: [
        blocked(3), blocked(4, .starts(3)), blocked(5, .exited(1)), blocked(6, .killed(signal: 11)),
        blocked(7, .overTime(seconds: 60)),
      ])
  }

  @Test("a record is kept as lines, the last one with a digest of the others")
  func roundTrip() throws {
    let store = try open()
    #expect(store.reading.trialRecord() == TrialRecord())
    try store.changeTrialRecord { $0 = full }
    #expect(store.reading.trialRecord() == full)
    let text = try String(decoding: scratch.read("store/trial"), as: UTF8.self)
    let lines = """
      tinyupdater-trial 1
      trial 8 6 2
      trial 9 6 0
      blocked 3 r3 8 1719807007 rollback 0
      blocked 4 r4 8 1719807007 starts 3
      blocked 5 r5 8 1719807007 exit 1
      blocked 6 r6 8 1719807007 signal 11
      blocked 7 r7 8 1719807007 time 60

      """
    #expect(text == lines + "end \(try Fixture.digest(lines).hex)\n")
    #expect(try !scratch.exists("store/trial.new"))
  }

  @Test("nothing is written where nothing changes")
  func unchanged() throws {
    let store = try open()
    try store.changeTrialRecord { _ in }
    #expect(try !scratch.exists("store/trial"))
    try store.changeTrialRecord { $0 = full }
    let before = try Directory(opening: "\(scratch.path)/store").identity(of: "trial")
    try store.changeTrialRecord { $0.block(blocked(7, .overTime(seconds: 60))) }
    #expect(try Directory(opening: "\(scratch.path)/store").identity(of: "trial") == before)
  }

  @Test("the trial of the current generation stays beside that of the next one, and no other does")
  func trials() {
    var record = TrialRecord()
    record.set(Trial(of: 7, wayBack: 6, starts: 1), of: 7, current: 6)
    record.set(Trial(of: 8, wayBack: 6), of: 8, current: 7)
    #expect(record.trials == [Trial(of: 7, wayBack: 6, starts: 1), Trial(of: 8, wayBack: 6)])
    #expect(record.trial(of: 7)?.starts == 1 && record.trial(of: 9) == nil && record.trial(of: nil) == nil)
    record.set(Trial(of: 8, wayBack: 6, starts: 1), of: 8, current: 8)
    #expect(record.trials == [Trial(of: 8, wayBack: 6, starts: 1)])
    record.set(nil, of: 9, current: 8)
    #expect(record.trials.count == 1)
    record.set(nil, of: 8, current: 8)
    #expect(record == TrialRecord())
  }

  @Test("of too many blocked releases the first is forgotten, and each is there once")
  func bounds() throws {
    var record = TrialRecord()
    for number in 1...9 { record.block(blocked(UInt64(number))) }
    record.block(blocked(5, from: 20, .exited(1)))
    #expect(record.blocked.map(\.release.number) == [2, 3, 4, 6, 7, 8, 9, 5])
    #expect(record.block(of: 5)?.reason == .exited(1) && record.block(of: 1) == nil)
    #expect(record.departure(from: 20, of: 5)?.reason == .exited(1))
    #expect(record.departure(from: 20, of: 6) == nil && record.departure(from: 21, of: 5) == nil)
    record.confirm(7)
    #expect(record.blocked.map(\.release.number) == [8, 9])
  }

  @Test("a generation that the device returns to is not to be left any more; its release stays blocked")
  func returning() throws {
    let store = try open()
    try store.changeTrialRecord {
      $0.block(blocked(4, from: 8, .starts(3)))
      $0.block(blocked(5, from: 9, .rollback))
      $0.returns(to: 9)
    }
    let record = store.reading.trialRecord()
    #expect(record.departure(from: 9, of: 5) == nil && record.departure(from: 8, of: 4) != nil)
    #expect(record.block(of: 5)?.reason == .rollback && record.block(of: 5)?.generation == 0)
  }

  @Test("the longest record fits into its bound")
  func longest() throws {
    var record = TrialRecord()
    let last: UInt64 = 1 << 60 - 1
    record.set(Trial(of: last, wayBack: last, starts: UInt64(UInt32.max)), of: last, current: nil)
    record.set(Trial(of: last - 1, wayBack: last, starts: UInt64(UInt32.max)), of: last - 1, current: last)
    for number in 0..<UInt64(StoreLimits.blockedReleases) {
      record.block(
        BlockedRelease(
          Release(number: .max - number, label: String(repeating: "x", count: 64)), generation: last,
          time: .max, reason: .killed(signal: .max)))
    }
    let store = try open()
    try store.changeTrialRecord { $0 = record }
    #expect(store.reading.trialRecord() == record)
    #expect(try scratch.read("store/trial").count < StoreLimits.trialFile)
  }

  @Test("every prefix and every changed byte of a record counts as no record, and can be replaced")
  func damaged() throws {
    let store = try open()
    try store.changeTrialRecord { $0 = full }
    let bytes = try scratch.read("store/trial")
    var damaged = bytes.indices.map { Array(bytes[..<$0]) }
    for index in bytes.indices {
      for bit in [0x01, 0x20, 0x80] as [UInt8] {
        var changed = bytes
        changed[index] ^= bit
        damaged.append(changed)
      }
    }
    damaged.append(bytes + [10])
    damaged.append(bytes + bytes)
    damaged.append([UInt8](repeating: 10, count: 1 << 20))
    for bytes in damaged {
      try scratch.write("store/trial", bytes)
      #expect(store.reading.trialRecord() == TrialRecord(), "\(bytes.count)")
    }
    try store.changeTrialRecord { $0.block(blocked(4)) }
    #expect(store.reading.trialRecord().blocked == [blocked(4)])
  }

  @Test(
    "a record with a right digest and wrong lines counts as no record",
    arguments: [
      "trial 1 2", "trial 1 2 3 4", "trial 01 2 3", "trial 1 2 -3", "trial 1 2 4294967296", "trial  1 2",
      "blocked 4 r4 8 0 rollback", "blocked 4 r4 8 0 other 0", "blocked 4 ../r 8 0 rollback 0",
      "blocked 4 r4 8 -1 rollback 0", "other", "",
      "trial 1 2 3\ntrial 2 2 3\ntrial 3 2 3",
      (0..<9).map { "blocked \($0) r 8 0 rollback 0" }.joined(separator: "\n"),
    ])
  func wrongLines(lines: String) throws {
    let store = try open()
    let text = "tinyupdater-trial 1\n\(lines)\n"
    try scratch.write("store/trial", Array("\(text)end \(try Fixture.digest(text).hex)\n".utf8))
    #expect(store.reading.trialRecord() == TrialRecord())
  }

  @Test("something else in the place of the file counts as no record, and gives way", arguments: 0..<3)
  func otherKind(kind: Int) throws {
    let store = try open()
    switch kind {
    case 0: try scratch.makeDirectory("store/trial/full")
    case 1: try Directory(opening: scratch.path).makeSymbolicLink("store/trial", to: "/etc/passwd")
    default: #expect(try ChildProcess.run("mkfifo", ["\(scratch.path)/store/trial"]).status == 0)
    }
    #expect(store.reading.trialRecord() == TrialRecord())
    try store.changeTrialRecord { $0 = full }
    #expect(store.reading.trialRecord() == full)
  }

  @Test("what an interrupted change has left is removed")
  func leftover() throws {
    do { _ = try open() }
    try scratch.write("store/trial.new", Array("tinyupdater-trial 1\n".utf8))
    try scratch.write("store/health.log", Array("x".utf8))
    #expect(try open().reading.trialRecord() == TrialRecord())
    #expect(try !scratch.exists("store/trial.new") && !scratch.exists("store/health.log"))
  }

  @Test("the release that a user named is part of an operation, and only of an update")
  func named() throws {
    let name = try #require(ReleaseName("2024-06"))
    let operation = Operation.update(of: ["a"], to: name)
    #expect(operation.text == "tinyupdater-operation 1\napply\nid a\nrelease 2024-06\nend\n")
    #expect(Operation(operation.text) == operation && operation.isManual)
    #expect(Operation.update(to: name) != .update() && Operation.update(to: name).isManual)
    for text in [
      "install\nid a\nrelease 4", "apply\nrelease a b", "apply\nrelease 1\nrelease 2", "apply\nrelease ",
    ] {
      #expect(Operation("tinyupdater-operation 1\n\(text)\nend\n") == nil, "\(text)")
    }
    #expect(name.names(Release(number: 6, label: "2024-06")) && !name.names(Release(number: 6, label: "x")))
    #expect(try #require(ReleaseName("6")).names(Release(number: 6, label: "x")))
    #expect(ReleaseName("") == nil && ReleaseName("a/b") == nil && ReleaseName("a b") == nil)
  }
}
