package import Platform

extension OperationQueue {
  /// Shows what is done just now.
  ///
  /// Not flushed to storage: it means nothing after power loss.
  package func show(_ active: ActiveOperation) {
    do throws(Failure) {
      let file = try directory.open("active.new", to: .replace)
      try file.write(active.text)
      try file.close()
      try directory.rename("active.new", to: "active")
    } catch {}
  }

  /// What `show` makes has the name.
  static func isOfActive(_ name: String) -> Bool { name == "active" || name == "active.new" }

  /// Removes what `show` made, and what a power cut left of it.
  package func showNothing() {
    for name in ["active", "active.new"] { do throws(Failure) { try directory.remove(name) } catch {} }
  }

  /// Nil if no process works.
  package func active() throws(Failure) -> ActiveOperation? {
    guard try isWorkedOn() else { return nil }
    return try text("active", limit: StoreLimits.activeFile).flatMap { ActiveOperation($0) }
  }

  // MARK: - The worker

  /// Takes the lock that shows other processes that this one works, for as long as the value lives.
  ///
  /// The caller holds the store, so other processes take this lock only for a moment, to look.
  package func beginWork() throws(Failure) -> Directory {
    let worker = try directory.openDirectory("worker")
    try worker.lock(.exclusive, within: 1000, every: 20)
    return worker
  }

  /// A process works on the queue of the store at `root`.
  package static func isWorkedOn(in root: String) throws(Failure) -> Bool {
    switch try open(root) {
    case .some(let queue): try queue.isWorkedOn()
    case .none: false
    }
  }

  /// A process works on the queue.
  package func isWorkedOn() throws(Failure) -> Bool {
    do throws(Failure) { try directory.openDirectory("worker").lock(.shared) } catch {
      switch error.errno {
      case .wouldBlock: return true
      case .noEntry: return false
      default: throw error
      }
    }
    return false
  }
}
