/// Chooses the item to start next.
struct WorkQueue {
  private let needs: [Int]
  private let jobs: Int
  /// The next one last, so that nothing moves when it is taken.
  private var waiting: [Int]
  private var atWork = 0
  private var free: Int

  /// - `needs`: bytes of memory that each item takes.
  init(needs: [Int], jobs: Int, memory: Int) {
    self.needs = needs.map { min(max($0, 0), memory) }
    self.jobs = max(jobs, 1)
    waiting = needs.indices.reversed()
    free = memory
  }

  /// The first item that fits; nil if none does.
  mutating func begin() -> Int? {
    guard atWork < jobs, let next = waiting.lastIndex(where: { needs[$0] <= free }) else { return nil }
    let index = waiting.remove(at: next)
    atWork += 1
    free -= needs[index]
    return index
  }

  mutating func finish(_ index: Int) {
    atWork -= 1
    free += needs[index]
  }
}
