import DeltaTestSupport
import PatchFormat
import Synchronization
import TestSupport
import Testing

@testable import DeltaCreate

/// What helps with one patch while no other patch needs it.
@Suite("Processors")
struct ProcessorsTests {
  private struct Flaw: Error, Equatable { let number: Int }

  @Test("results are in the order of the items", arguments: [0, 1, 2, 7])
  func order(count: Int) {
    let items = Array(0..<100)
    #expect(Processors(count).map(items) { $0 * $0 } == items.map { $0 * $0 })
  }

  @Test("of several failures, that of the first item is thrown", arguments: [0, 1, 4])
  func failure(count: Int) {
    #expect(throws: Flaw(number: 3)) {
      try Processors(count).map(Array(0..<20)) { (number) throws(Flaw) in
        if number >= 3 { throw Flaw(number: number) }
      }
    }
  }

  @Test("as many threads work as there are processors, at most")
  func threads() {
    for (processors, most) in [(Processors(3), 3), (Processors(9, helpers: 1), 2), (Processors.none, 1)] {
      let atWork = Mutex((now: 0, most: 0))
      processors.occupying {
        _ = processors.map(Array(0..<200)) { _ in
          atWork.withLock { atWork in
            atWork.now += 1
            atWork.most = max(atWork.most, atWork.now)
          }
          // Long enough for the others to begin.
          for _ in 0..<2000 { atWork.withLock { _ in } }
          atWork.withLock { $0.now -= 1 }
        }
      }
      #expect(atWork.withLock { $0.most } <= most)
    }
  }

  @Test("who occupies a processor leaves fewer to help, and gives it back, also after a failure")
  func occupying() {
    let processors = Processors(2)
    #expect(processors.idle == 2)
    processors.occupying {
      #expect(processors.idle == 1)
      processors.occupying {
        #expect(processors.idle == 0)
        // More patches than processors: nobody helps.
        processors.occupying { #expect(processors.idle == 0) }
      }
      #expect(processors.idle == 1)
    }
    #expect(throws: Flaw(number: 1)) {
      try processors.occupying { () throws(Flaw) in throw Flaw(number: 1) }
    }
    #expect(throws: Flaw(number: 0)) {
      try processors.map([0, 1, 2]) { (number) throws(Flaw) in throw Flaw(number: number) }
    }
    #expect(processors.idle == 2)
  }

  @Test("work within work is done, with the processors that are left")
  func nested() {
    let processors = Processors(3)
    let numbers = Array(0..<8)
    let sums = processors.map(numbers) { first in
      processors.map(numbers) { second in
        processors.map(numbers) { $0 * first * second }.reduce(0, +)
      }.reduce(0, +)
    }
    #expect(sums == numbers.map { 28 * 28 * $0 })
    #expect(processors.idle == 3)
  }

  @Test("who finds no item left helps with what an item of another thread consists of, from its next part on")
  func nestedHelp() {
    let processors = Processors(2)
    let atWork = Mutex((now: 0, most: 0))
    processors.occupying {
      _ = processors.map([false, true]) { isLong in
        guard isLong else { return }
        _ = processors.map(Array(0..<1000)) { _ in
          atWork.withLock { atWork in
            atWork.now += 1
            atWork.most = max(atWork.most, atWork.now)
          }
          // Until another one has begun, too; nobody may come before the next of them.
          let end = ContinuousClock.now + .milliseconds(20)
          while atWork.withLock({ $0.most }) < 2 && ContinuousClock.now < end {}
          atWork.withLock { $0.now -= 1 }
        }
      }
    }
    #expect(atWork.withLock { $0.most } == 2)
    #expect(processors.idle == 2)
  }

  @Test("after a failure no more items begin")
  func noMore() {
    let begun = Mutex(0)
    let processors = Processors(2)
    _ = processors.occupying {
      #expect(throws: Flaw(number: 0)) {
        try processors.map(Array(0..<10_000)) { (number) throws(Flaw) in
          begun.withLock { $0 += 1 }
          throw Flaw(number: number)
        }
      }
    }
    #expect(begun.withLock { $0 } < 10)
  }

  @Test("work that is over before anyone helps leaves nobody behind")
  func short() {
    let processors = Processors(4)
    for _ in 0..<20_000 { #expect(processors.map([1, 2, 3]) { $0 + 1 } == [2, 3, 4]) }
    #expect(processors.idle == 4)
  }

  @Test("the bytes of a patch do not depend on how many help", arguments: [1, 2, 3, 4])
  func sameBytes(kind: Int) throws {
    var generator = SeededGenerator(UInt64(kind))
    // Longer than a window of the search and than a section, with changes everywhere.
    var old = (0..<5 << 20).map { _ in UInt8.random(in: 0..<(kind < 3 ? 16 : 255), using: &generator) }
    if kind == 2 { old.replaceSubrange(1 << 20..<3 << 20, with: repeatElement(7, count: 2 << 20)) }
    var new = old
    for _ in 0..<2000 {
      let offset = Int.random(in: 0..<new.count - 40, using: &generator)
      for index in 0..<Int.random(in: 1...40, using: &generator) { new[offset + index] &+= 1 }
    }
    if kind == 3 { new.insert(contentsOf: old[0..<100_000], at: 3 << 20) }
    if kind == 4 { new.removeSubrange(2_000_000..<2_200_000) }
    var options = PatchMaker.Options()
    options.sectionSize = 64 << 10
    let alone = try PatchMaker(options).make(old: old.span, new: new.span)
    options.processors = Processors(3)
    let helped = try PatchMaker(options).make(old: old.span, new: new.span)
    #expect(alone.bytes == helped.bytes)
  }

  @Test("nor do they where files have deflate streams and doubles", arguments: [43, 45, 47, 52, 55])
  func sameStreams(seed: UInt64) throws {
    var generator = PairGenerator(seed: seed)
    var (old, new): ([UInt8], [UInt8]) = ([], [])
    for _ in 0..<12 {
      let pair = try generator.pair()
      (old, new) = (old + pair.old, new + pair.new)
    }
    let made = try expectSameBytes(old, new)
    #expect(made.head.shape.maximumContent > 0, "no stream is rebuilt")
  }

  @Test("nor do they where rows of databases are matched without what refers to them")
  func sameRows() throws {
    try expectSameBytes(DatabaseRowTests.file("first.db"), DatabaseRowTests.file("fewer.db"))
  }

  @discardableResult
  private func expectSameBytes(_ old: [UInt8], _ new: [UInt8]) throws -> PatchInMemory {
    var options = PatchMaker.Options()
    options.sectionSize = 16 << 10
    let alone = try PatchMaker(options).make(old: old.span, new: new.span)
    for count in [2, 4] {
      options.processors = Processors(count)
      let helped = try options.processors.occupying {
        try PatchMaker(options).make(old: old.span, new: new.span)
      }
      #expect(alone.bytes == helped.bytes, "\(count) processors")
    }
    return alone
  }
}
