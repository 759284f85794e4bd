import Synchronization
import Testing

@testable import Publisher

@Suite("WorkerPool")
struct WorkerPoolTests {
  @Test("results come in the order of the items", arguments: [1, 2, 7, 100])
  func order(jobs: Int) async throws {
    let items = Array(0..<50)
    var finished: [Int] = []
    let results = try await WorkerPool.run(items, jobs: jobs) { (item) throws(PublisherError) in
      item * 2
    } finished: {
      finished.append($0)
    }
    #expect(results == items.map { $0 * 2 })
    #expect(finished.sorted() == results)
  }

  @Test("no items are no work")
  func none() async throws {
    let results = try await WorkerPool.run([Int](), jobs: 4) { (item) throws(PublisherError) in item }
    #expect(results.isEmpty)
  }

  @Test("after a failure nothing new is begun")
  func failure() async {
    let begun = Mutex(0)
    await #expect(throws: PublisherError.tooDeep(path: "3")) {
      _ = try await WorkerPool.run(Array(0..<100), jobs: 1) { (item) throws(PublisherError) in
        begun.withLock { $0 += 1 }
        if item == 3 { throw PublisherError.tooDeep(path: "\(item)") }
        return item
      }
    }
    #expect(begun.withLock { $0 } == 4)
  }
}
