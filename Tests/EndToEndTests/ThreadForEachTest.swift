import Dispatch
import Testing

/// Runs each test of a suite on a thread of its own.
///
/// Otherwise a test gets one of the threads that Swift keeps, one for each processor, and most tests wait for their
/// programs, which leaves processors idle. `swift test` says how many run at a time.
struct ThreadForEachTest: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Threads.shared, operation: function)
  }

  /// The queue adds threads while others wait.
  private final class Threads: TaskExecutor {
    static let shared = Threads()
    private let queue = DispatchQueue(label: "tests", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}

extension Trait where Self == ThreadForEachTest {
  static var threadForEachTest: Self { ThreadForEachTest() }
}
