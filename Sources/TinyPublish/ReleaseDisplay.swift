internal import Catalog
internal import Platform
internal import Publisher

/// What is to be seen while a release is made: a bar for a person, lines for a log.
struct ReleaseDisplay {
  private let isQuiet: Bool
  private let isVerbose: Bool
  private let hasBar: Bool
  private var reading = ProgressBar()
  private var making: ProgressBar?
  private(set) var ignored: [IgnoredFile] = []

  /// So many ignored files are named; the rest is counted, unless every line is wanted.
  private static let namedFiles = 10

  init(isQuiet: Bool, isVerbose: Bool) {
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
    hasBar = !isQuiet && !isVerbose && Terminal.isInteractive(.error)
  }

  mutating func show(_ event: ReleaseEvent) {
    switch event {
    case .ignored(let files):
      ignored = files
      warn()
    case .read(let name, let done, let total):
      draw(&reading, done, total, "reading \(name.id)")
    case .made(let component, let done, let total):
      if isVerbose { Terminal.writeLine(ReleaseDisplay.line(component), to: .error) }
      var bar = making ?? ProgressBar()
      draw(&bar, done, total, component.entry.name.id)
      making = bar
    }
  }

  /// Wipes the bar away.
  func end() {
    if hasBar { ProgressBar.erase(from: .error) }
  }

  private func draw(_ bar: inout ProgressBar, _ done: UInt64, _ total: UInt64, _ note: String) {
    guard hasBar else { return }
    let columns = Terminal.columns(.error)
    guard let line = bar.line(done: done, total: total, note: note, columns: columns, force: done == total)
    else { return }
    ProgressBar.draw(line, to: .error)
  }

  /// Even a quiet publisher wants to know that a file was not published.
  private func warn() {
    let named = isVerbose ? ignored.count : ReleaseDisplay.namedFiles
    for file in ignored.prefix(named) {
      Terminal.writeLine("ignored: \(file.path) (\(file.reason.text))", to: .error)
    }
    if ignored.count > named {
      Terminal.writeLine("ignored: \(ignored.count - named) more; --verbose names them", to: .error)
    }
  }

  private static func line(_ component: ComponentReport) -> String {
    let entry = component.entry
    var text = "\(entry.name.id) \(entry.name.dataGroup): \(ByteCount(entry.size).text)"
    if component.isUnchanged { return text + ", unchanged" }
    if let packed = entry.packed { text += ", packed \(ByteCount(packed.size).text)" }
    if component.previous != nil && component.patch == nil { text += ", no patch that saves a fifth" }
    for patch in entry.patches {
      text += ", \(patch.to == nil ? "patch" : "hop") \(ByteCount(patch.container.size).text)"
    }
    return text + ", \(Seconds.text(component.milliseconds))"
  }
}

/// Durations as a table has them.
enum Seconds {
  /// Such as "12.3 s".
  static func text(_ milliseconds: UInt64) -> String {
    "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
  }
}
