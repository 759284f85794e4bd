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

  @Test("what is at work fits into the memory, or is alone", arguments: [1, 3, 8])
  func memory(jobs: Int) {
    let needs = [90, 60, 50, 40, 120, 10, 10, 10, 10, 0, 30, 30, 30, 100, -1]
    var queue = WorkQueue(needs: needs, jobs: jobs, memory: 100)
    var atWork: [Int] = []
    var begun: [Int] = []
    while begun.count < needs.count || !atWork.isEmpty {
      while let index = queue.begin() {
        atWork.append(index)
        begun.append(index)
        #expect(atWork.count <= jobs)
        #expect(atWork.reduce(0) { $0 + min(max(needs[$1], 0), 100) } <= 100)
      }
      // Nothing waits that there would be room for.
      let free = 100 - atWork.reduce(0) { $0 + min(max(needs[$1], 0), 100) }
      #expect(atWork.count == jobs || needs.indices.allSatisfy { begun.contains($0) || needs[$0] > free })
      queue.finish(atWork.remove(at: atWork.count / 2))
    }
    #expect(begun.sorted() == Array(needs.indices))
  }

  @Test("what needs little goes ahead while something large waits for memory")
  func overtaking() async throws {
    var queue = WorkQueue(needs: [60, 70, 10, 5], jobs: 3, memory: 100)
    #expect([queue.begin(), queue.begin(), queue.begin(), queue.begin()] == [0, 2, 3, nil])
    queue.finish(2)
    #expect(queue.begin() == nil)
    queue.finish(0)
    #expect(queue.begin() == 1)
    let needs = [60, 170, 10, 5]
    let results = try await WorkerPool.run(needs, jobs: 2, memory: 100, need: { $0 }) {
      (need) throws(PublisherError) in need
    }
    #expect(results == needs)
  }

  @Test("after a failure nothing new is begun")
  func failure() async {
    let begun = Mutex(0)
    await #expect(throws: PublisherError.input(.tooDeep(path: "3"))) {
      _ = try await WorkerPool.run(Array(0..<100), jobs: 1) { (item) throws(PublisherError) in
        begun.withLock { $0 += 1 }
        if item == 3 { throw PublisherError.input(.tooDeep(path: "\(item)")) }
        return item
      }
    }
    #expect(begun.withLock { $0 } == 4)
  }
}
