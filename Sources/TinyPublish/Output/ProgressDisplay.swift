internal import Catalog
internal import DeltaCreate
internal import MapModel
internal import Platform
internal import Publisher

/// The progress of a command for people: a bar on a terminal, lines in a log.
struct ProgressDisplay: Reporter {
  private let isQuiet: Bool
  private let isVerbose: Bool
  private let hasBar: Bool
  private var unpacking = ProgressBar()
  private var reading = ProgressBar()
  /// Begins with the work that it shows.
  private var working: ProgressBar?

  /// The number of files and components that are named; the rest is counted, unless `isVerbose`.
  private static let namedItems = 10

  init(isQuiet: Bool, isVerbose: Bool) {
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
    hasBar = !isQuiet && !isVerbose && Terminal.isInteractive(.error)
  }

  mutating func show(_ event: ProgressEvent) {
    switch event {
    case .release(let event): show(event)
    case .bundling(let name, let done, let total):
      draw(&working, done: done, total: total, note: name.printable())
    case .bundled(let contents, let path):
      clear()
      // Standard output may be the bundle itself.
      if !isQuiet { Terminal.writeLine(contents.summary(path: path), to: .error) }
    case .copying(let stage, let files):
      if hasBar { ProgressBar.draw("copying \(stage.text): \(files) files copied", to: .error) }
    case .verifying(.read(let name, _, let done, let total)):
      draw(&working, done: done, total: total, note: name.printable())
    case .verifying(.verified): working = nil
    case .reporting(let event):
      if hasBar { ProgressBar.draw(ProgressDisplay.line(event).printable(), to: .error) }
    case .warning(let sentence), .problem(let sentence): Output.warn(sentence)
    }
  }

  private mutating func show(_ event: ReleaseEvent) {
    switch event {
    case .unpacked(let path, let done, let total):
      draw(&unpacking, done: done, total: total, note: "unpacking \(path.printable())")
    case .ignored(let files):
      warn("ignored", items: files.map { "\($0.path) (\($0.reason.text))" })
    case .warned(let warnings):
      for warning in warnings { Output.warn(warning.sentence) }
    case .gone(let names):
      warn("no longer in the release", items: names.map { $0.path })
    case .waiting:
      clear()
      if !isQuiet {
        Terminal.writeLine("waiting for another process that is changing the metadata", to: .error)
      }
    case .read(let name, let done, let total):
      draw(&reading, done: done, total: total, note: "reading \(name.id)")
    case .made(let component, let done, let total):
      if isVerbose { Terminal.writeLine(ProgressDisplay.line(component), to: .error) }
      draw(&working, done: done, total: total, note: component.entry.name.id.text)
    }
  }

  var workObserver: WorkEvent.Observer {
    guard hasBar || isVerbose else { return { _ in } }
    return { [self] (event) in
      let line = ProgressDisplay.line(event)
      if isVerbose { Terminal.writeLine(line, to: .error) } else { ProgressBar.draw(line, to: .error) }
    }
  }

  private static func line(_ event: WorkEvent) -> String {
    let name = event.component.map { "\($0.path): " } ?? ""
    let window = event.progress.window.map { ", window \($0.number) of \($0.count)" } ?? ""
    return (name + event.progress.stage.rawValue + window).printable()
  }

  /// Erases the bar.
  func clear() {
    if hasBar { ProgressBar.erase(from: .error) }
  }

  func end(_ ending: CommandEnding) {
    clear()
    if let sentence = ending.sentence { Output.warn(sentence) }
  }

  private func draw(_ bar: inout ProgressBar?, done: UInt64, total: UInt64, note: String) {
    var begun = bar ?? ProgressBar()
    draw(&begun, done: done, total: total, note: note)
    bar = begun
  }

  private func draw(_ bar: inout ProgressBar, done: UInt64, total: UInt64, note: String) {
    guard hasBar else { return }
    let columns = Terminal.columns(.error)
    guard let line = bar.line(done: done, total: total, note: note, columns: columns, force: done == total)
    else { return }
    ProgressBar.draw(line, to: .error)
  }

  /// Even a quiet command reports files that were not published.
  private func warn(_ title: String, items: [String]) {
    let named = isVerbose ? items.count : ProgressDisplay.namedItems
    for item in items.prefix(named) { Terminal.writeLine("\(title): \(item.printable())", to: .error) }
    if items.count > named {
      Terminal.writeLine("\(title): \(items.count - named) more; --verbose names them", to: .error)
    }
  }

  private static func line(_ component: ComponentReport) -> String {
    let entry = component.entry
    var text = "\(entry.name.path): \(ByteCount(entry.size).text)"
    if component.isUnchanged { return text + ", unchanged" }
    if let packed = entry.packed { text += ", packed \(ByteCount(packed.size).text)" }
    if component.previous != nil && component.patch == nil { text += ", no patch that saves a fifth" }
    for patch in entry.patches {
      text += ", \(patch.to == nil ? "patch" : "hop") \(ByteCount(patch.container.size).text)"
    }
    return text + ", \(Seconds.text(component.milliseconds))"
  }

  private static func line(_ event: Survey.Event) -> String {
    switch event {
    case .reading(let release): "\(release.text): reading the catalog"
    case .explaining(let release, let done, let total):
      "\(release.text): looking into large updates, \(done) of \(total)"
    }
  }
}
