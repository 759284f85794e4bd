internal import CMemory
internal import Catalog
internal import DeltaCreate
internal import JSONCoding
internal import MapModel
internal import Platform
internal import Publisher
internal import Releases

/// Everything that a command says on standard error as JSON, one object per line (`docs/publishing.md`).
///
/// The first line is `begin`, the last one `result`. Every component has its line; of lines that only count bytes or
/// files there are at most two a second.
struct ProgressLines: Reporter {
  private let started = Clock.milliseconds
  /// When the last line that only counts was written.
  private var counted: UInt64?

  /// Milliseconds between lines that only count.
  private static let pause: UInt64 = 500

  /// It cannot be composed when memory is refused.
  private static let outOfMemory: StaticString = """
    {"event":"result","result":"OutOfMemory","exit":23,"message":"out of memory; lower --memory or --jobs, or raise \
    the limit of this process, and run the command again"}

    """

  init(_ command: String) {
    tu_when_out_of_memory(ProgressLines.outOfMemory.utf8Start, ExitStatus.memory.rawValue)
    write("begin", Begin(command: command, time: Clock.timestamp(Clock.now)))
  }

  mutating func show(_ event: ProgressEvent) {
    switch event {
    case .release(let event): show(event)
    case .verifying(let event): show(event)
    case .bundling(let name, let done, let total):
      count("bundled", Named(name: name, done: done, total: total))
    case .bundled(let contents, let path): write("bundle", Bundle(contents, path: path))
    case .copying(let stage, let files):
      guard isDue() else { return }
      write("copied", Copied(stage: stage.name, files: files))
    case .reporting(let event): show(event)
    case .warning(let sentence): write("warning", Message(message: sentence))
    case .problem(let sentence): write("problem", Message(message: sentence))
    }
  }

  var workObserver: WorkEvent.Observer {
    { [self] (event) in
      // One call of write(2), so that it is one line whatever else is written.
      write("working", Working(event))
    }
  }

  func clear() {}

  mutating func end(_ ending: CommandEnding) {
    write("result", Ending(result: ending.name, exit: ending.exit, message: ending.sentence))
  }

  private mutating func show(_ event: ReleaseEvent) {
    switch event {
    case .unpacked(let path, let done, let total):
      count("unpacked", Unpacked(path: path, done: done, total: total))
    case .ignored(let files):
      for file in files { write("ignored", Answer.Ignored(file)) }
    case .warned(let warnings):
      for warning in warnings { show(.warning(warning.sentence)) }
    case .gone(let names):
      for name in names { write("gone", Answer.Component(name)) }
    case .waiting: write("waiting", Nothing())
    case .read(let name, let done, let total):
      write("read", Joined(Answer.Component(name), Progress(done: done, total: total)))
    case .made(let component, let done, let total):
      let members = Joined(Made(component), Progress(done: done, total: total))
      write("made", Joined(Answer.Component(component.entry.name), members))
    }
  }

  private mutating func show(_ event: VerificationEvent) {
    switch event {
    case .read(let name, let release, let done, let total):
      count("checked", Checked(release: release.number, name: name, done: done, total: total))
    case .verified(let row): write("verified", Verified(row))
    }
  }

  private mutating func show(_ event: Survey.Event) {
    switch event {
    case .reading(let release):
      write("reading", Reading(release: release.number, label: release.label))
    case .explaining(let release, let done, let total):
      count("explained", Explained(release: release.number, done: UInt64(done), total: UInt64(total)))
    }
  }

  // MARK: - Lines

  /// Writes a line that only counts, unless one was written a moment ago; the last of them is always written.
  private mutating func count(_ event: String, _ members: some Counting) {
    if isDue() || members.done == members.total { write(event, members) }
  }

  private mutating func isDue() -> Bool {
    let now = Clock.milliseconds
    if let counted, now - counted < ProgressLines.pause { return false }
    counted = now
    return true
  }

  private func write(_ event: String, _ members: some Encodable) {
    let line = Joined(Line(event: event, milliseconds: Clock.milliseconds - started), members)
    Terminal.write(JSONLine.text(line) + "\n", to: .error)
  }
}
