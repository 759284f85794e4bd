internal import Platform

/// What happens, for other processes: one JSON object per line (`docs/events.md`).
///
///     events       the newest
///     events.old   those before
///
/// It is bounded, and not flushed: it costs flash little, and means nothing after power loss. A writer never waits for a
/// reader.
package struct EventLog {
  private let root: String

  /// The one of the store at `root`.
  package init(_ root: String) { self.root = root }

  /// Adds a line; one that cannot be written is lost, which must never stop an update.
  ///
  /// When the file has grown long, a new one begins.
  package func append(_ line: String) {
    do throws(Failure) {
      let directory = try Directory(opening: root)
      let file = try directory.open("events", to: .append)
      try file.write(line + "\n")
      guard try file.size() > StoreLimits.events else { return }
      // The lock belongs to the file, not to its name: of two processes the second finds another identity.
      try file.lock()
      guard try directory.identity(of: "events") == file.identity() else { return }
      try directory.rename("events", to: "events.old")
    } catch {}
  }
}
