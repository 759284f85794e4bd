internal import Dispatch
internal import Synchronization

/// Processors that help with the parts of one patch while no other patch needs them.
///
/// What is made with them depends neither on their number nor on when they are free.
package final class Processors: Sendable {
  private let free: Mutex<Free>

  private struct Free {
    /// Below 0 if more patches have begun while others had help.
    var processors: Int
    var helpers: Int
  }

  /// - `count`: how many threads may work.
  /// - `helpers`: how many of them may help at a time, as each takes memory.
  package init(_ count: Int, helpers: Int = .max) { free = Mutex(Free(processors: count, helpers: helpers)) }

  /// None but the one of the caller.
  package static var none: Processors { Processors(0) }

  /// Does `body`, which takes one of the processors.
  package func occupying<Output, Failure: Error>(
    _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    free.withLock { $0.processors -= 1 }
    defer { free.withLock { $0.processors += 1 } }
    return try body()
  }

  /// Memory that one helper takes with a dictionary of that many bytes.
  ///
  /// An encoder of LZMA2 takes 11 times its dictionary, the section that it compresses and the one that waits take up to
  /// 5 MiB each, and its result at most as much.
  package static func memory(dictionarySize: Int) -> Int { 11 * dictionarySize + (18 << 20) }

  /// How many threads could help now.
  var idle: Int { free.withLock { max(min($0.processors, $0.helpers), 0) } }

  /// Does `body` for each item, and returns the results in the order of the items.
  ///
  /// Of several failures, that of the first item is thrown.
  func map<Item, Output, Failure: Error>(
    _ items: [Item], _ body: (Item) throws(Failure) -> Output
  ) throws(Failure) -> [Output] {
    let helpers = take(atMost: items.count - 1)
    guard helpers > 0 else {
      var outputs: [Output] = []
      outputs.reserveCapacity(items.count)
      for item in items { outputs.append(try body(item)) }
      return outputs
    }
    defer { give(back: helpers) }
    var results = [Result<Output, Failure>?](repeating: nil, count: items.count)
    results.withUnsafeMutableBufferPointer { results in
      withoutActuallyEscaping(body) { body in
        let work = SharedWork(items: items, body: body, results: results)
        DispatchQueue.concurrentPerform(iterations: helpers + 1) { _ in work.run() }
      }
    }
    var outputs: [Output] = []
    outputs.reserveCapacity(items.count)
    for case .some(let result) in results { outputs.append(try result.get()) }
    return outputs
  }

  /// Does both, and returns the results.
  func both<A, B, Failure: Error>(
    _ a: () throws(Failure) -> A, _ b: () throws(Failure) -> B
  ) throws(Failure) -> (A, B) {
    let halves = try map([true, false]) { (isFirst) throws(Failure) -> Half<A, B> in
      isFirst ? .first(try a()) : .second(try b())
    }
    guard case .first(let first) = halves[0], case .second(let second) = halves[1] else {
      preconditionFailure("results are in the order of the items")
    }
    return (first, second)
  }

  private func take(atMost count: Int) -> Int {
    free.withLock { free in
      let taken = max(min(free.processors, free.helpers, count), 0)
      free.processors -= taken
      free.helpers -= taken
      return taken
    }
  }

  private func give(back count: Int) {
    free.withLock { free in
      free.processors += count
      free.helpers += count
    }
  }
}

private enum Half<A, B> {
  case first(A)
  case second(B)
}

/// Items that several threads work on; each item belongs to one of them.
private final class SharedWork<Item, Output, Failure: Error>: @unchecked Sendable {
  private let items: [Item]
  private let body: (Item) throws(Failure) -> Output
  /// One for each item.
  private let results: UnsafeMutableBufferPointer<Result<Output, Failure>?>
  private let next = Mutex(0)

  init(
    items: [Item], body: @escaping (Item) throws(Failure) -> Output,
    results: UnsafeMutableBufferPointer<Result<Output, Failure>?>
  ) {
    self.items = items
    self.body = body
    self.results = results
  }

  /// Works on items until none is left.
  func run() {
    while let index = begin() {
      do throws(Failure) { results[index] = .success(try body(items[index])) } catch {
        results[index] = .failure(error)
      }
    }
  }

  private func begin() -> Int? {
    next.withLock { next in
      guard next < items.count else { return nil }
      next += 1
      return next - 1
    }
  }
}
