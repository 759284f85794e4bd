internal import Dispatch
internal import Synchronization

/// Processors that help with the parts of one patch while no other patch needs them.
///
/// What is made with them depends neither on their number nor on when they are free.
package final class Processors: Sendable {
  private let state: Mutex<State>
  /// How many threads may work at a time.
  let threads: Int
  /// Whether there is anybody who helps, now or later.
  var mayHelp: Bool { threads > 1 }

  private struct State {
    /// Those that are free; below 0 if more patches have begun while others had help.
    var processors: Int
    var helpers: Int
    /// Work with fewer threads than items; what it is a part of comes before it.
    var open: [any Work] = []
    /// One for each thread that waits for what others do.
    var sleeping: [DispatchSemaphore] = []

    /// Lets all threads that wait look around.
    mutating func wakeAll() {
      for semaphore in sleeping { semaphore.signal() }
      sleeping = []
    }
  }

  /// - `count`: how many threads may work.
  /// - `helpers`: how many of them may help at a time, as each takes memory.
  package init(_ count: Int, helpers: Int = .max) {
    state = Mutex(State(processors: count, helpers: helpers))
    threads = max(1, helpers < count ? helpers + 1 : count)
  }

  /// None but the one of the caller.
  package static var none: Processors { Processors(0) }

  /// Does `body`, which takes one of the processors.
  package func occupying<Output, Thrown: Error>(
    _ body: () throws(Thrown) -> Output
  ) throws(Thrown) -> Output {
    state.withLock { $0.processors -= 1 }
    defer { state.withLock { $0.processors += 1 } }
    return try body()
  }

  /// Memory that one helper takes with a dictionary of that many bytes.
  ///
  /// An encoder of LZMA2 takes 11 times its dictionary, the section that it compresses and the one that waits take up to
  /// 5 MiB each, and its result at most as much.
  package static func memory(dictionarySize: Int) -> Int { 11 * dictionarySize + (18 << 20) }

  /// How many threads could help now; what is made does not depend on it.
  var idle: Int { state.withLock { max(min($0.processors, $0.helpers), 0) } }

  /// Does `body` for each item, and returns the results in the order of the items.
  ///
  /// A thread that finds no item left helps with other work, such as what one of the items consists of, until all are done.
  ///
  /// Of several failures, that of the first item is thrown.
  func map<Item, Output, Thrown: Error>(
    _ items: [Item], _ body: (Item) throws(Thrown) -> Output
  ) throws(Thrown) -> [Output] {
    var outputs: [Output] = []
    outputs.reserveCapacity(items.count)
    guard mayHelp, items.count > 1 else {
      for item in items { outputs.append(try body(item)) }
      return outputs
    }
    var results = [Result<Output, Thrown>?](repeating: nil, count: items.count)
    results.withUnsafeMutableBufferPointer { results in
      withoutActuallyEscaping(body) { body in
        let work = SharedWork(items: items, body: body, results: results)
        share(work, items: items.count)
        work.close()
      }
    }
    for case .some(let result) in results { outputs.append(try result.get()) }
    return outputs
  }

  /// Does `body` for each item as `map` does, the largest ones first: those would otherwise be the last to end.
  func mapLargestFirst<Item, Output, Thrown: Error>(
    _ items: [Item], size: (Item) -> Int, _ body: (Item) throws(Thrown) -> Output
  ) throws(Thrown) -> [Output] {
    let order = items.indices.sorted { (size(items[$1]), $0) < (size(items[$0]), $1) }
    let outputs = try map(order) { (index) throws(Thrown) in (index, try body(items[index])) }
    return outputs.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Returns when all of it is done.
  private func share(_ work: some Work, items: Int) {
    let helpers = begin(work, items: items)
    defer { end(work, helpers: helpers) }
    guard helpers > 0 else { return run(work) }
    DispatchQueue.concurrentPerform(iterations: helpers + 1) { _ in run(work) }
  }

  /// Does items of `work`, then of other work until it is done.
  private func run(_ work: some Work) {
    if work.enter() { leaveAfterItems(of: work) }
    while true {
      switch next(after: work) {
      case .done: return
      case .help(let other): leaveAfterItems(of: other)
      case .sleep(let semaphore): semaphore.wait()
      }
    }
  }

  private func leaveAfterItems(of work: some Work) {
    if work.doItemsAndLeave() { state.withLock { $0.wakeAll() } }
  }

  private enum Next {
    case done
    case help(any Work)
    case sleep(DispatchSemaphore)
  }

  /// What a thread does that found no item of `work` left.
  private func next(after work: some Work) -> Next {
    state.withLock { state in
      if work.isDone { return .done }
      if let other = state.open.first(where: { $0.enter() }) { return .help(other) }
      let semaphore = DispatchSemaphore(value: 0)
      state.sleeping.append(semaphore)
      return .sleep(semaphore)
    }
  }

  /// Returns how many threads help from the beginning.
  private func begin(_ work: some Work, items: Int) -> Int {
    state.withLock { state in
      let helpers = max(min(state.processors, state.helpers, items - 1), 0)
      state.processors -= helpers
      state.helpers -= helpers
      if helpers < items - 1 {
        state.open.append(work)
        state.wakeAll()
      }
      return helpers
    }
  }

  private func end(_ work: some Work, helpers: Int) {
    state.withLock { state in
      state.open.removeAll { $0 === work }
      state.processors += helpers
      state.helpers += helpers
    }
  }

  /// Does both, and returns the results.
  func both<A, B, Thrown: Error>(
    _ a: () throws(Thrown) -> A, _ b: () throws(Thrown) -> B
  ) throws(Thrown) -> (A, B) {
    let halves = try map([true, false]) { (isFirst) throws(Thrown) -> Half<A, B> in
      isFirst ? .first(try a()) : .second(try b())
    }
    guard case .first(let first) = halves[0], case .second(let second) = halves[1] else {
      preconditionFailure("results are in the order of the items")
    }
    return (first, second)
  }
}

private enum Half<A, B> {
  case first(A)
  case second(B)
}

/// Items that several threads work on.
private protocol Work: AnyObject, Sendable {
  /// Whether there are items left for one more thread, which leaves when it has done some.
  func enter() -> Bool
  /// Returns whether everything is done.
  func doItemsAndLeave() -> Bool
  /// Nobody works on it, and nobody will.
  var isDone: Bool { get }
}

/// Each item belongs to one of the threads.
private final class SharedWork<Item, Output, Thrown: Error>: Work, @unchecked Sendable {
  private let items: [Item]
  private var body: ((Item) throws(Thrown) -> Output)?
  /// One for each item.
  private let results: UnsafeMutableBufferPointer<Result<Output, Thrown>?>
  private let state = Mutex(State())

  private struct State {
    /// The next item that nobody has begun.
    var next = 0
    var threads = 0
  }

  init(
    items: [Item], body: @escaping (Item) throws(Thrown) -> Output,
    results: UnsafeMutableBufferPointer<Result<Output, Thrown>?>
  ) {
    self.items = items
    self.body = body
    self.results = results
  }

  func enter() -> Bool {
    state.withLock { state in
      guard state.next < items.count else { return false }
      state.threads += 1
      return true
    }
  }

  var isDone: Bool { state.withLock { isDone($0) } }

  private func isDone(_ state: State) -> Bool { state.next >= items.count && state.threads == 0 }

  func doItemsAndLeave() -> Bool {
    doItems()
    return state.withLock { state in
      state.threads -= 1
      return isDone(state)
    }
  }

  /// Not inlined, so that nothing holds `body` when the thread has left.
  @inline(never)
  private func doItems() {
    guard let body else { return }
    while let index = begin() {
      do throws(Thrown) { results[index] = .success(try body(items[index])) } catch {
        results[index] = .failure(error)
        // Only those before it matter now, and all of them have begun.
        state.withLock { $0.next = items.count }
      }
    }
  }

  private func begin() -> Int? {
    state.withLock { state in
      guard state.next < items.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  /// Lets go of what it does, once everything is done: a thread that only looked may still hold it.
  func close() { body = nil }
}
