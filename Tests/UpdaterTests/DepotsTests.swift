import Testing

@testable import Updater

@Suite("Depots")
struct DepotsTests {
  /// Milliseconds, which only a test moves.
  private final class Time { var now: UInt64 = 0 }

  @Test("they are asked in their order; what one lacks, it is not asked for again")
  func lacking() {
    var depots = Depots(["a", "b"])
    #expect(depots.candidates(for: "x") == ["a/x", "b/x"])
    depots.passOver(file: "a/x")
    #expect(depots.candidates(for: "x") == ["b/x"])
    #expect(depots.candidates(for: "y") == ["a/y", "b/y"])
    #expect(Depots([]).candidates(for: "x").isEmpty)
  }

  @Test("one that failed is passed over for ten minutes")
  func failed() {
    let time = Time()
    var depots = Depots(["a", "ab"]) { time.now }
    depots.passOver(serverOf: "a/x")
    #expect(depots.candidates(for: "y") == ["ab/y"])
    time.now += 599_999
    #expect(depots.candidates(for: "y") == ["ab/y"])
    time.now += 1
    #expect(depots.candidates(for: "y") == ["a/y", "ab/y"])
  }

  @Test("where a file is wrong, all that had a part in it are left, for that file alone")
  func wrong() {
    var depots = Depots(["a", "b", "c"])
    depots.begin("x")
    depots.use("a/x")
    depots.begin("x")
    depots.use("b/x")
    let hadPart = depots.leaveUsed()
    #expect(hadPart && depots.candidates(for: "x") == ["c/x"])
    #expect(depots.candidates(for: "y").count == 3)
    depots.use("a/y")
    depots.begin("z")
    let hadPartOfAnother = depots.leaveUsed()
    #expect(!hadPartOfAnother)
  }

  @Test("no more files are remembered than a limit, and the newest are")
  func bounded() {
    var depots = Depots(["a"])
    for number in 0...UpdateLimits.lackingFiles { depots.passOver(file: "a/\(number)") }
    #expect(depots.candidates(for: "0") == ["a/0"])
    #expect(depots.candidates(for: "\(UpdateLimits.lackingFiles)").isEmpty)
  }
}
