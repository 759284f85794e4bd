internal import Dispatch
internal import Synchronization

/// Processors that help with the parts of one patch while no other patch needs them.
///
/// What is made with them depends neither on their number nor on when they are free.
package final class Processors: Sendable {
  private let free: Mutex<Free>
  /// How many threads may work at a time.
  let threads: Int
  /// Whether there is anybody who helps, now or later.
  var mayHelp: Bool { threads > 1 }

  private struct Free {
    /// Below 0 if more patches have begun, or go on, while others had help.
    var processors: Int
    var helpers: Int
  }

  /// - `count`: how many threads may work; more than `Tuning.Processors.most` would wait for each other.
  /// - `helpers`: how many of them may help at a time, as each takes memory.
  package init(_ count: Int, helpers: Int = .max) {
    let count = min(count, Tuning.Processors.most)
    free = Mutex(Free(processors: count, helpers: helpers))
    threads = max(1, helpers < count ? helpers + 1 : count)
  }

  /// None but the one of the caller.
  package static var none: Processors { Processors(0) }

  /// Memory that one helper takes with a dictionary of that many bytes.
  ///
  /// An encoder of LZMA2 takes 11 times its dictionary, the section that it compresses and the one that waits take up to
  /// 5 MiB each, and its result at most as much.
  package static func memory(dictionarySize: Int) -> Int { 11 * dictionarySize + (18 << 20) }

  /// How many threads could help now; what is made does not depend on it.
  var idle: Int { free.withLock { max(min($0.processors, $0.helpers), 0) } }

  /// Does `body`, which takes one of the processors.
  package func occupying<Output, Thrown: Error>(
    _ body: () throws(Thrown) -> Output
  ) throws(Thrown) -> Output {
    free.withLock { $0.processors -= 1 }
    defer { free.withLock { $0.processors += 1 } }
    return try body()
  }

  /// Does `body` for each item, and returns the results in the order of the items.
  ///
  /// When an item begins, threads that are free begin the items after it.
  ///
  /// Of several failures, that of the first item is thrown.
  func map<Item, Output, Thrown: Error>(
    _ items: [Item], _ body: (Item) throws(Thrown) -> Output
  ) throws(Thrown) -> [Output] {
    var results = [Result<Output, Thrown>?](repeating: nil, count: items.count)
    results.withUnsafeMutableBufferPointer { results in
      withoutActuallyEscaping(body) { body in
        SharedWork(items: items, body: body, results: results).finish(with: self)
      }
    }
    var outputs: [Output] = []
    outputs.reserveCapacity(items.count)
    for case .some(let result) in results { outputs.append(try result.get()) }
    return outputs
  }

  /// Begins `help` on as many threads as are free, at most `most`.
  fileprivate func begin(_ most: Int, in group: DispatchGroup, _ help: @escaping @Sendable () -> Void) {
    let count = free.withLock { free in
      let count = max(min(free.processors, free.helpers, most), 0)
      free.processors -= count
      free.helpers -= count
      return count
    }
    for _ in 0..<count {
      // A queue for each of them: a concurrent one has as many threads as there are processors, with those that wait.
      DispatchQueue(label: "Processors").async(group: group) {
        help()
        self.free.withLock { free in
          free.processors += 1
          free.helpers += 1
        }
      }
    }
  }

  /// Waits for those who help; meanwhile, the processor of the caller is free.
  fileprivate func wait(for group: DispatchGroup) {
    free.withLock { $0.processors += 1 }
    group.wait()
    free.withLock { $0.processors -= 1 }
  }
}

/// Items that several threads share: each item is done by the first thread that takes it.
private final class SharedWork<Item, Output, Thrown: Error>: @unchecked Sendable {
  private let items: [Item]
  private let body: (Item) throws(Thrown) -> Output
  /// One for each item.
  private let results: UnsafeMutableBufferPointer<Result<Output, Thrown>?>
  /// The number of the next item that nobody has begun.
  private let next = Atomic(0)
  private let group = DispatchGroup()

  init(
    items: [Item], body: @escaping (Item) throws(Thrown) -> Output,
    results: UnsafeMutableBufferPointer<Result<Output, Thrown>?>
  ) {
    self.items = items
    self.body = body
    self.results = results
  }

  /// Does all items.
  func finish(with processors: Processors) {
    doItems(with: processors)
    processors.wait(for: group)
  }

  /// Does items that nobody has begun, until there are none.
  private func doItems(with processors: Processors) {
    while true {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < items.count else { return }
      processors.begin(items.count - index - 1, in: group) { self.doItems(with: processors) }
      do throws(Thrown) { results[index] = .success(try body(items[index])) } catch {
        results[index] = .failure(error)
        // Only those before it matter now, and all of them have begun.
        next.store(items.count, ordering: .relaxed)
      }
    }
  }
}
