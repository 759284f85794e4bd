import Crypto
import PatchFormat
import Testing

@testable import InPlace

@Suite("Progress of an update in place")
struct ProgressTests {
  private static let beginning = Progress.Beginning(base: 4, remainder: 5, count: 2)
  /// Every kind of line, with what it can say.
  static let steps: [Progress.Step] = [
    .begun(beginning), .taken, .making(.init(.beside)), .making(.init(.consuming)),
    .making(.init(.consuming, step: 1)), .made, .lost,
  ]

  /// Calls `body` with every order of up to `length` lines that can follow one another.
  private func forEachProgress(
    upTo length: Int, from progress: Progress = Progress(), after steps: [Progress.Step] = [],
    _ body: (Progress, [Progress.Step]) -> Void
  ) {
    body(progress, steps)
    guard steps.count < length else { return }
    for step in Self.steps {
      var next = progress
      if next.take(step) { forEachProgress(upTo: length, from: next, after: steps + [step], body) }
    }
  }

  @Test("after any lines the next action is one that can be carried out")
  func total() {
    var seen = 0
    forEachProgress(upTo: 9) { progress, steps in
      seen += 1
      #expect(progress.next(isCommitted: true) == .end)
      let settled = steps.count { $0 == .made || $0 == .lost }
      let expected: Progress.Action =
        !steps.contains(.taken) ? .undo : settled < Self.beginning.count ? .make(settled) : .commit
      #expect(progress.next(isCommitted: false) == expected, "\(steps)")
      #expect(progress.settled == settled && progress.isTaken == steps.contains(.taken))
    }
    #expect(seen > 500)
  }

  @Test("once the maps are taken, no line leads back, and settled components stay settled")
  func forward() {
    forEachProgress(upTo: 6) { progress, steps in
      guard progress.isTaken else { return }
      for step in Self.steps {
        var next = progress
        guard next.take(step) else { continue }
        #expect(
          next.next(isCommitted: false) != .undo && next.settled >= progress.settled, "\(steps) \(step)")
      }
    }
  }

  @Test("what is consumed is not begun again, and what is made beside it can be")
  func again() {
    var progress = Progress()
    for step in Self.steps.prefix(2) { _ = progress.take(step) }
    // There is less room in the end.
    let makings: [(Progress.Making, Bool)] = [
      (.init(.beside, step: 1), true), (.init(.beside), true), (.init(.consuming), true),
      (.init(.beside), false),
      (.init(.consuming, step: 1), true), (.init(.consuming), false),
    ]
    for (making, isTaken) in makings {
      let isAccepted = progress.take(.making(making))
      #expect(isAccepted == isTaken, "\(making)")
    }
    #expect(progress.making == .init(.consuming, step: 1))
  }

  @Test("a line that cannot follow changes nothing")
  func refused() {
    forEachProgress(upTo: 5) { progress, _ in
      for step in Self.steps {
        var next = progress
        if !next.take(step) { #expect(next == progress) }
      }
    }
  }

  @Test("each line reads back as it was written", arguments: steps)
  func text(step: Progress.Step) throws {
    #expect(Progress.Step(try step.text().split(separator: " ").map { String($0) }) == step)
  }

  @Test(
    "what is no line is refused",
    arguments: [
      "", "begun", "begun 1 2", "begun 1 2 x", "begun -1 2 3", "begun 1 2 3 4", "taken 1", "making",
      "making beside",
      "making beside x", "making slowly 0", "making beside 0 00", "making beside -1", "making beside 0 00 00",
      "made 1",
      "lost 0", "finished",
    ])
  func malformed(line: String) {
    #expect(Progress.Step(line.split(separator: " ").map { String($0) }) == nil)
  }

  @Test("a checkpoint reads back, and a damaged one is refused")
  func checkpoint() throws {
    let digest = try Hasher.digest(of: [1].span.bytes)
    let head = PatchHead(
      old: (100, digest), new: (200, digest),
      shape: .init(dictionarySize: 1 << 16, maximumPayload: 1000, maximumBlock: 2000))
    let point = Checkpoint(containerOffset: 77, completed: 4 << 20, frame: digest, head: head)
    let step = Progress.Step.making(.init(.consuming, step: 2, checkpoint: point))
    let words = try step.text().split(separator: " ").map { String($0) }
    #expect(words.count == 4 && Progress.Step(words) == step)
    for index in stride(from: 0, to: words[3].utf8.count, by: 7) {
      var damaged = Array(words[3].utf8)
      damaged[index] = damaged[index] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
      #expect(Progress.Step(Array(words[..<3]) + [String(decoding: damaged, as: UTF8.self)]) == nil)
    }
  }
}
