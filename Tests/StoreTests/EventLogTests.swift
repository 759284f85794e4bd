import Glibc
import Platform
import TestSupport
import Testing

@testable import Store

@Suite("Events")
struct EventLogTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("events") }

  private func lines(_ follower: inout EventFollower) throws -> [String] {
    var lines: [String] = []
    try follower.forEachLine { lines.append($0) }
    return lines
  }

  @Test("a follower reads what comes after it began, line by line")
  func follow() throws {
    let log = EventLog(scratch.path)
    log.append("before")
    var follower = try EventFollower(scratch.path)
    #expect(try lines(&follower) == [])
    log.append("one")
    log.append("two")
    #expect(try lines(&follower) == ["one", "two"])
    #expect(try lines(&follower) == [])
  }

  @Test("a follower begins before anything has happened, and continues in the next file")
  func rotation() throws {
    let log = EventLog(scratch.path)
    var follower = try EventFollower(scratch.path)
    let long = String(repeating: "x", count: 1000)
    var read = 0
    for round in 0..<600 {
      log.append("\(round) \(long)")
      if round % 50 == 0 {
        read += try lines(&follower).count
      }
    }
    read += try lines(&follower).count
    #expect(read == 600)
    #expect(try scratch.names() == ["events", "events.old"])
    let size = try contents("\(scratch.path)/events").count + contents("\(scratch.path)/events.old").count
    #expect(size < 3 * Int(StoreLimits.events))
  }

  @Test("the log is bounded, however many processes write and for how long")
  func bounded() throws {
    let logs = [EventLog(scratch.path), EventLog(scratch.path)]
    var follower = try EventFollower(scratch.path)
    let long = String(repeating: "x", count: 1000)
    var read = 0
    for round in 0..<2000 {
      logs[round % 2].append("\(round) \(long)")
      if round % 100 == 0 { read += try lines(&follower).count }
    }
    #expect(try read + lines(&follower).count == 2000)
    let size = try contents("\(scratch.path)/events").count + contents("\(scratch.path)/events.old").count
    #expect(size < 3 * Int(StoreLimits.events))
  }

  @Test("a pipe in the place of the log blocks no process")
  func pipe() throws {
    #expect(mkfifo("\(scratch.path)/events", 0o600) == 0)
    EventLog(scratch.path).append("not read by anyone")
    do throws(Failure) {
      var follower = try EventFollower(scratch.path)
      try follower.forEachLine { _ in }
      Issue.record("it was read")
    } catch { #expect(error == Failure(Errno(code: ESPIPE), path: "\(scratch.path)/events")) }
  }

  @Test("half a line waits for its other half")
  func half() throws {
    try scratch.write("events", "")
    var follower = try EventFollower(scratch.path)
    try scratch.write("events", "ha")
    #expect(try lines(&follower) == [])
    try scratch.write("events", "half\n")
    #expect(try lines(&follower) == ["half"])
  }

  @Test("there is nothing to follow where there is no store")
  func missing() throws {
    do throws(Failure) {
      _ = try EventFollower("\(scratch.path)/none")
      Issue.record("there was something to follow")
    } catch { #expect(error == .noStore(path: "\(scratch.path)/none")) }
  }

  @Test("events that cannot be written are lost, and nothing else is")
  func lost() throws {
    EventLog("\(scratch.path)/none").append("not read by anyone")
    #expect(try !scratch.exists("none"))
  }
}
