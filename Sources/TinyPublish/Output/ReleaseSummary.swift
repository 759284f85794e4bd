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
  private var total = Figures(title: "total")

  /// The sums of one package, or of all; sizes in bytes.
  private struct Figures {
    let title: String
    var components = 0
    var changed = 0
    var oldSize: UInt64 = 0
    var newSize: UInt64 = 0
    var full: UInt64 = 0
    /// The download for a device that has the components of the previous release.
    var update: UInt64 = 0
    /// The full download of those components.
    var updateInFull: UInt64 = 0
    var milliseconds: UInt64 = 0

    mutating func add(_ component: ComponentReport) {
      components += 1
      changed += component.isUnchanged ? 0 : 1
      oldSize += component.previous?.size ?? 0
      newSize += component.entry.size
      full += component.entry.fullDownload
      if let update = component.update {
        self.update += update
        updateInFull += component.entry.fullDownload
      }
      milliseconds += component.milliseconds
    }
  }

  init(_ report: ReleaseReport) {
    self.report = report
    for (index, component) in report.components.enumerated() {
      if index == 0 || report.components[index - 1].entry.name.id != component.entry.name.id {
        packages.append(Figures(title: component.entry.name.id.text))
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
    where component.plan?.searchesStreams == true && PatchMaker.encodesStreams {
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
    let changed = "\(total.changed) of \(total.components) components changed"
    let catalog = "catalog \(ByteCount(report.catalog.catalog.size).text)"
    let time = Seconds.text(report.milliseconds)
    guard let previous = report.previous else {
      return
        "Release \(release.number), \(release.label): \(total.components) components, \(catalog), in \(time).\n"
    }
    return """
      Release \(release.number), \(release.label): \(changed), \(catalog), in \(time). \
      A device at \(previous.label) with all maps downloads \(ByteCount(total.update).text).

      """
  }

  /// What became of `--reflink`, with a line feed; empty without it, or if no component was written.
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
    let isNew = figures.updateInFull == 0
    let update = isNew ? "new" : figures.changed == 0 ? "unchanged" : ByteCount(figures.update).text
    return [
      figures.title, figures.oldSize == 0 ? "-" : ByteCount(figures.oldSize).text,
      ByteCount(figures.newSize).text,
      ByteCount(figures.full).text, update,
      isNew ? "-" : ByteCount(figures.update).share(of: figures.updateInFull),
      Seconds.text(figures.milliseconds),
    ]
  }

  /// The same as JSON.
  func json(ignored: [IgnoredFile]) -> JSON {
    var json = JSON()
    json.add("format", 1)
    json.add("release", report.release.number)
    json.add("label", report.release.label)
    if let previous = report.previous {
      json.add("previousRelease", previous.number)
      json.add("previousLabel", previous.label)
    }
    json.add("catalog", report.catalog.catalogURL)
    json.add("catalogSize", report.catalog.catalog.size)
    json.add("rollout", report.catalog.rollout)
    json.add("isPublished", report.outcome == .published)
    if report.outcome == .published {
      json.add("metadata", Root.TopLevel.allCases.map { MetadataView.json(report.served[$0]) })
    }
    json.add("packages", packages.map { self.json($0, title: "id") })
    json.add("components", report.components.map(self.json))
    json.add("total", self.json(total, title: nil))
    json.add("milliseconds", report.milliseconds)
    json.add("streams", PatchMaker.encodesStreams)
    json.add("gone", report.gone.map { Output.json($0) })
    Output.add(report.lost, to: &json)
    json.add("ignored", ignored.map { Output.json($0) })
    return json
  }

  private func json(_ figures: Figures, title: String?) -> JSON {
    var json = JSON()
    if let title { json.add(title, figures.title) }
    json.add("components", figures.components)
    json.add("changed", figures.changed)
    json.add("oldSize", figures.oldSize)
    json.add("newSize", figures.newSize)
    json.add("fullDownload", figures.full)
    json.add("update", figures.update)
    json.add("milliseconds", figures.milliseconds)
    return json
  }

  private func json(_ component: ComponentReport) -> JSON {
    var json = Output.json(component.entry)
    json.add("isUnchanged", component.isUnchanged)
    json.add("isShared", component.storage == .shared)
    if let previous = component.previous { json.add("oldSize", previous.size) }
    if let update = component.update { json.add("update", update) }
    json.add("unsearched", component.streams?.unsearched ?? 0)
    if let streams = component.streams { json.add("deflateStreams", Output.json(streams)) }
    if let plan = component.plan { json.add("matching", Output.json(plan)) }
    json.add("milliseconds", component.milliseconds)
    return json
  }
}
