internal import Dispatch
internal import Synchronization

/// Items that several threads work on; each item belongs to one of them.
final class SharedWork<Item, Output, Failure: Error>: @unchecked Sendable {
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

/// Threads that help with work until its owner dismisses them; one that comes later finds nothing to do.
final class Help: @unchecked Sendable {
  private struct State {
    /// Nil after the dismissal.
    var work: (@Sendable () -> Void)?
    /// How many threads have begun.
    var begun = 0
  }

  private let state: Mutex<State>
  private let atWork = DispatchGroup()

  init(_ work: @escaping @Sendable () -> Void) { state = Mutex(State(work: work)) }

  /// Helps until nothing is left, and then calls `leave`; does nothing after the dismissal.
  func join(_ leave: () -> Void) {
    guard help() else { return }
    leave()
    atWork.leave()
  }

  /// The work is not referred to any more when this returns.
  @inline(never)
  private func help() -> Bool {
    let work = state.withLock { state in
      if state.work != nil {
        state.begun += 1
        atWork.enter()
      }
      return state.work
    }
    work?()
    return work != nil
  }

  /// Lets no other thread begin; returns how many have begun.
  func dismiss() -> Int {
    state.withLock { state in
      state.work = nil
      return state.begun
    }
  }

  /// Waits for those that have begun.
  func wait() { atWork.wait() }
}
