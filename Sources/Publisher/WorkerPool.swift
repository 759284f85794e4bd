/// Work on many items at a time.
enum WorkerPool {
  /// Does `work` on every item, at most `jobs` at a time, begun in the order of `items`.
  ///
  /// After the first failure nothing new is begun; of several, the one of the earliest item is thrown.
  /// The results come in the order of `items`; `finished` is told about each when it is there.
  static func run<Item: Sendable, Output: Sendable>(
    _ items: [Item], jobs: Int, work: @escaping @Sendable (Item) throws(PublisherError) -> Output,
    finished: (Output) -> Void = { _ in }
  ) async throws(PublisherError) -> [Output] {
    typealias Outcome = (index: Int, result: Result<Output, PublisherError>)
    let outcome = await withTaskGroup(of: Outcome.self) { group in
      var outputs = [Output?](repeating: nil, count: items.count)
      var failure: (index: Int, error: PublisherError)?
      var next = 0
      func begin() {
        guard next < items.count, failure == nil else { return }
        let (index, item) = (next, items[next])
        next += 1
        group.addTask { (index, attempt(item, work)) }
      }
      for _ in 0..<max(jobs, 1) { begin() }
      for await (index, result) in group {
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
    _ item: Item, _ work: (Item) throws(PublisherError) -> Output
  ) -> Result<Output, PublisherError> {
    do throws(PublisherError) { return .success(try work(item)) } catch { return .failure(error) }
  }
}
