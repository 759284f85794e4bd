package import DeltaCreate

/// The processors and the memory that patches are made with, several at a time.
package struct SharedMachine: Sendable {
  package let processors: Processors
  /// The bytes that all searches may take together: what helpers take comes on top.
  let memory: Int

  /// - `processors`: how many may be used.
  /// - `memory`: the bytes that searches and helpers may take together.
  package init(processors: Int, memory: Int, dictionarySize: Int = 1 << 20) {
    let each = Processors.memory(dictionarySize: dictionarySize)
    let helpers = max(min(processors - 1, memory / SharedMachine.shareOfHelpers / each), 0)
    self.processors = Processors(processors, helpers: helpers)
    self.memory = memory - helpers * each
  }

  /// The processors for a search that takes `need` bytes: none if it needs the memory of the helpers.
  package func processors(forSearch need: Int) -> Processors { need > memory ? .none : processors }

  /// Helpers take a quarter of the memory at most.
  private static var shareOfHelpers: Int { 4 }
}
