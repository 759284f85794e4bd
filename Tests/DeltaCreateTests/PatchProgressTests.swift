import DeltaTestSupport
import Synchronization
import TestSupport
import Testing

@testable import DeltaCreate

/// A large file takes hours, in which an operator wants to know what is done.
@Suite("Progress of a patch")
struct PatchProgressTests {
  private func told(_ plan: SearchBudget?) throws -> [PatchProgress] {
    let old =
      Array("a text of some words, ".utf8) + (0..<20_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
    let new = old.prefix(9000) + Array("and others".utf8) + old.dropFirst(9100)
    let told = Mutex<[PatchProgress]>([])
    var options = PatchMaker.Options()
    options.observe = { progress in told.withLock { $0.append(progress) } }
    if let plan {
      _ = try PatchMaker(options).make(old: old.span, new: Array(new).span, plan: plan)
    } else {
      _ = try PatchMaker(options).make(old: old.span, new: Array(new).span)
    }
    return told.withLock { $0 }
  }

  @Test("a file that is searched as a whole comes to each stage once, in their order")
  func whole() throws {
    #expect(try told(nil) == [.streams, .matching, .choosing, .packing].map { PatchProgress($0) })
  }

  @Test("a file that is searched in windows tells the number of each, before all is packed")
  func windows() throws {
    let told = try told(
      SearchBudget(index: .blocks, effort: .windows(size: 3000), limit: .max, memory: 0, searchesRows: false))
    let numbers = told.compactMap { $0.window?.number }
    let counts = Set(told.compactMap { $0.window?.count })
    #expect(numbers == numbers.sorted() && counts.count == 1 && counts.first ?? 0 >= numbers.last ?? .max)
    #expect(counts.first ?? 0 > 1)
    #expect(told.last == PatchProgress(.packing))
  }
}
