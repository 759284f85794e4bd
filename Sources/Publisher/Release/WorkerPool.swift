/// Work on many items at a time.
enum WorkerPool {
  /// Does `work` on every item, at most `jobs` at a time, started in the order of `items`.
  ///
  /// Running items take at most `memory` bytes together, according to `need`; one that needs more runs
  /// alone. While an item waits for memory, later ones that need less go first.
  ///
  /// After the first failure nothing new is started; of several failures, that of the earliest item is thrown.
  /// Returns the results in the order of `items`; `finished` is called with each as soon as it is done.
  static func run<Item: Sendable, Output: Sendable>(
    _ items: [Item], jobs: Int, memory: Int = .max, need: (Item) -> Int = { _ in 0 },
    work: @escaping @Sendable (Item) throws(PublisherError) -> Output,
    finished: (Output) -> Void = { _ in }
  ) async throws(PublisherError) -> [Output] {
    typealias Outcome = (index: Int, result: Result<Output, PublisherError>)
    let needs = items.map(need)
    let outcome = await withTaskGroup(of: Outcome.self) { group in
      var outputs = [Output?](repeating: nil, count: items.count)
      var failure: (index: Int, error: PublisherError)?
      var queue = WorkQueue(needs: needs, jobs: jobs, memory: memory)
      func begin() {
        while failure == nil, let index = queue.begin() {
          let item = items[index]
          group.addTask { (index, attempt(item, by: work)) }
        }
      }
      begin()
      for await (index, result) in group {
        queue.finish(index)
        switch result {
        case .success(let output):
          outputs[index] = output
          finished(output)
        case .failure(let error):
          if index < failure?.index ?? .max { failure = (index, error) }
        }
        begin()
      }
      return (outputs: outputs, failure: failure)
    }
    if let failure = outcome.failure { throw failure.error }
    return outcome.outputs.compactMap { $0 }
  }

  private static func attempt<Item, Output>(
    _ item: Item, by work: (Item) throws(PublisherError) -> Output
  ) -> Result<Output, PublisherError> {
    do throws(PublisherError) { return .success(try work(item)) } catch { return .failure(error) }
  }
}
