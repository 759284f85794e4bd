import Foundation
import Platform
import Synchronization
import TestSupport

/// Looks again and again at what a directory takes, and remembers the most.
final class PeakWatch: Sendable {
  private let path: String
  private let state = Mutex((peak: 0, isStopped: false))

  init(_ path: String) { self.path = path }

  /// Bytes in whole blocks.
  var peak: Int { state.withLock { $0.peak } }

  func during<Result>(_ body: () throws -> Result) rethrows -> Result {
    let finished = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !self.state.withLock({ $0.isStopped }) {
        let size = self.size()
        self.state.withLock { $0.peak = max($0.peak, size) }
      }
      finished.signal()
    }
    defer {
      state.withLock { $0.isStopped = true }
      finished.wait()
    }
    return try body()
  }

  /// Files that go while they are counted count as nothing.
  private func size() -> Int {
    var sum = 0
    do throws(Failure) {
      let directory = try Directory(opening: path)
      try directory.forEachName { (name) throws(Failure) in
        let size = try directory.status(of: name)?.size ?? 0
        sum += Int(Space(available: 0, block: 4096).allocated(size))
      }
    } catch {}
    return sum
  }
}
