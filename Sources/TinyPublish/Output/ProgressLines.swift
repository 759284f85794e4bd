internal import CMemory
internal import Catalog
internal import DeltaCreate
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
    write("begin") {
      $0.add("schema", 1)
      $0.add("command", command)
      $0.add("version", productVersion)
      $0.add("time", Clock.timestamp(Clock.now))
    }
  }

  mutating func show(_ event: ProgressEvent) {
    switch event {
    case .release(let event): show(event)
    case .verifying(let event): show(event)
    case .bundling(let name, let done, let total):
      count("bundled", done: done, total: total) { $0.add("name", name) }
    case .bundled(let contents, let path): write(contents, path: path)
    case .copying(let stage, let files):
      guard isDue() else { return }
      write("copied") {
        $0.add("stage", stage.name)
        $0.add("files", files)
      }
    case .reporting(let event): show(event)
    case .warning(let sentence): write("warning") { $0.add("message", sentence) }
    case .problem(let sentence): write("problem") { $0.add("message", sentence) }
    }
  }

  var workObserver: WorkEvent.Observer {
    { [self] (event) in
      // One call of write(2), so that it is one line whatever else is written.
      write("working") {
        if let component = event.component { Output.add(component, to: &$0) }
        $0.add("stage", event.progress.stage.rawValue)
        if let (number, count) = event.progress.window {
          $0.add("window", number)
          $0.add("windows", count)
        }
      }
    }
  }

  func clear() {}

  mutating func end(_ ending: CommandEnding) {
    write("result") {
      $0.add("result", ending.name)
      $0.add("exit", ending.exit)
      if let sentence = ending.sentence { $0.add("message", sentence) }
    }
  }

  private mutating func show(_ event: ReleaseEvent) {
    switch event {
    case .unpacked(let path, let done, let total):
      count("unpacked", done: done, total: total) { $0.add("path", path) }
    case .ignored(let files):
      for file in files { write("ignored") { Output.add(file, to: &$0) } }
    case .warned(let warnings):
      for warning in warnings { show(.warning(warning.sentence)) }
    case .gone(let names):
      for name in names { write("gone") { Output.add(name, to: &$0) } }
    case .waiting: write("waiting") { _ in }
    case .read(let name, let done, let total):
      write("read") {
        Output.add(name, to: &$0)
        $0.add("done", done)
        $0.add("total", total)
      }
    case .made(let component, let done, let total):
      write("made") {
        Output.add(component.entry.name, to: &$0)
        $0.add("size", component.entry.size)
        $0.add("isUnchanged", component.isUnchanged)
        $0.add("fullDownload", component.entry.fullDownload)
        if let update = component.update { $0.add("update", update) }
        $0.add("done", done)
        $0.add("total", total)
      }
    }
  }

  private mutating func show(_ event: VerificationEvent) {
    switch event {
    case .read(let name, let release, let done, let total):
      count("checked", done: done, total: total) {
        $0.add("release", release.number)
        $0.add("name", name)
      }
    case .verified(let row):
      write("verified") {
        $0.add("release", row.release.number)
        $0.add("label", row.release.label)
        $0.add("components", row.components)
        $0.add("payloads", row.payloads)
        $0.add("problems", row.problems)
      }
    }
  }

  private mutating func show(_ event: Survey.Event) {
    switch event {
    case .reading(let release):
      write("reading") {
        $0.add("release", release.number)
        $0.add("label", release.label)
      }
    case .explaining(let release, let done, let total):
      count("explained", done: UInt64(done), total: UInt64(total)) { $0.add("release", release.number) }
    }
  }

  private func write(_ contents: BundleContents, path: String) {
    write("bundle") {
      $0.add("path", path)
      $0.add("release", contents.release.number)
      $0.add("label", contents.release.label)
      $0.add("from", contents.from.map(\.label))
      $0.add("packages", contents.packages)
      $0.add("files", contents.files.count)
      $0.add("size", contents.size)
      $0.add("expires", Clock.timestamp(contents.expires))
    }
  }

  // MARK: - Lines

  /// Writes a line that only counts, unless one was written a moment ago; the last of them is always written.
  private mutating func count(
    _ event: String, done: UInt64, total: UInt64, _ members: (inout JSON) -> Void
  ) {
    guard isDue() || done == total else { return }
    write(event) {
      members(&$0)
      $0.add("done", done)
      $0.add("total", total)
    }
  }

  private mutating func isDue() -> Bool {
    let now = Clock.milliseconds
    if let counted, now - counted < ProgressLines.pause { return false }
    counted = now
    return true
  }

  private func write(_ event: String, _ members: (inout JSON) -> Void) {
    var json = JSON()
    json.add("event", event)
    json.add("milliseconds", Clock.milliseconds - started)
    members(&json)
    Terminal.write(json.text + "\n", to: .error)
  }
}
