internal import Catalog
internal import Crypto
internal import DeltaCreate
internal import MapModel
internal import Platform
internal import Publisher
internal import Releases
internal import Trust

/// The figures of a release, package by package.
struct ReleaseSummary {
  private let report: ReleaseReport
  private var packages: [Figures] = []
  private var total = Figures(id: nil)

  /// The sums of one package, or of all; sizes in bytes.
  private struct Figures {
    let title: String
    var sums: Answer.Figures
    /// The full download of the components that a device updates.
    var updateInFull: UInt64 = 0

    init(id: String?) {
      title = id ?? "total"
      sums = Answer.Figures(id: id)
    }

    mutating func add(_ component: ComponentReport) {
      sums.components += 1
      sums.changed += component.isUnchanged ? 0 : 1
      sums.oldSize += component.previous?.size ?? 0
      sums.newSize += component.entry.size
      sums.fullDownload += component.entry.fullDownload
      if let update = component.update {
        sums.update += update
        updateInFull += component.entry.fullDownload
      }
      sums.milliseconds += component.milliseconds
    }
  }

  init(_ report: ReleaseReport) {
    self.report = report
    for (index, component) in report.components.enumerated() {
      if index == 0 || report.components[index - 1].entry.name.id != component.entry.name.id {
        packages.append(Figures(id: component.entry.name.id.text))
      }
      packages[packages.count - 1].add(component)
      total.add(component)
    }
  }

  /// The table of packages, and a sentence.
  var text: String {
    var table = Table([
      ("package", .left), ("old", .right), ("new", .right), ("full download", .right), ("update", .right),
      ("ratio", .right), ("time", .right),
    ])
    for package in packages { table.add(row(package)) }
    if packages.count > 1 { table.add(row(total)) }
    var text = table.text + "\n"
    for component in report.components {
      guard let limitation = component.plan?.limitation else { continue }
      text += "\(component.entry.name.path) \(limitation); its patches may be larger\n"
    }
    for component in report.components
    where component.plan != nil && PatchMaker.encodesStreams {
      guard let streams = component.streams, streams.unsearched > 0 else { continue }
      let name = component.entry.name
      text += "\(name.path): \(ByteCount(UInt64(streams.unsearched)).text) were not searched for "
      text += "compressed contents (not enough --memory); its patches are larger\n"
    }
    for reason in StreamFigures.Outcome.reasons { text += sentence(reason) }
    text += sharing
    text += sentence
    for sentence in report.lost.sentences { text += sentence + "\n" }
    if report.outcome == .published { text += "\n" + MetadataView.expiry(report.served) }
    return text
  }

  private var sentence: String {
    let release = report.release
    let changed = "\(total.sums.changed) of \(total.sums.components) components changed"
    let catalog = "catalog \(ByteCount(report.catalog.catalog.size).text)"
    let time = Seconds.text(report.milliseconds)
    guard let previous = report.previous else {
      return
        "Release \(release.number), \(release.label): \(total.sums.components) components, \(catalog), in \(time).\n"
    }
    return """
      Release \(release.number), \(release.label): \(changed), \(catalog), in \(time). \
      A device at \(previous.label) with all maps downloads \(ByteCount(total.sums.update).text).

      """
  }

  /// The result of `--reflink`, with a line feed; empty without it, or if no component was written.
  private var sharing: String {
    guard report.wasToShare else { return "" }
    let written = report.components.filter { $0.storage != .present }
    let shared = written.filter { $0.storage == .shared }
    if written.isEmpty { return "" }
    guard !shared.isEmpty else {
      return
        "No component shares blocks with DIR: they are small, or not on one file system that can do that\n"
    }
    let size = ByteCount(shared.reduce(0) { $0 + $1.entry.size }).text
    return "\(shared.count) of \(written.count) new components share blocks with DIR, \(size)\n"
  }

  /// How many streams of all components were not rebuilt for that reason, with a line feed; empty if there are none.
  private func sentence(_ reason: StreamFigures.Outcome) -> String {
    let affected = report.components.filter { ($0.streams?[reason].count ?? 0) > 0 }
    let figures = affected.compactMap(\.streams).reduce(StreamFigures(), +)
    guard let first = affected.first, let sentence = figures.sentence(reason) else { return "" }
    return (affected.count == 1 ? first.entry.name.path : "\(affected.count) components") + ": \(sentence)\n"
  }

  private func row(_ figures: Figures) -> [String] {
    let sums = figures.sums
    let isNew = figures.updateInFull == 0
    let update = isNew ? "new" : sums.changed == 0 ? "unchanged" : ByteCount(sums.update).text
    return [
      figures.title, sums.oldSize == 0 ? "-" : ByteCount(sums.oldSize).text, ByteCount(sums.newSize).text,
      ByteCount(sums.fullDownload).text, update,
      isNew ? "-" : ByteCount(sums.update).share(of: figures.updateInFull), Seconds.text(sums.milliseconds),
    ]
  }

  /// The same for programs.
  func answer(ignored: [IgnoredFile]) -> Answer.Release {
    Answer.Release(
      report, packages: packages.map(\.sums), total: total.sums, ignored: ignored)
  }
}
