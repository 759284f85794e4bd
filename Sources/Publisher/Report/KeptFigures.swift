internal import Catalog
internal import Crypto
internal import JSONCoding
internal import Platform
internal import Reporting

/// The figures of the largest patches of each release, so that a report does not have to take them apart.
///
/// They are in `.figures` in the repository, one line of JSON for each payload, under its digest: a cache, which may be
/// removed at any time. Nothing in there is flushed; a report measures again where a file is missing or damaged.
enum KeptFigures {
  private static var folder: String { ".figures" }

  private struct Line: Codable {
    var format: UInt64 = KeptFigures.format
    let figures: Report.PatchFigures
  }

  /// The version of the lines, and of how the figures are measured.
  private static var format: UInt64 { 1 }

  private static func name(_ payload: Container) -> String { "\(folder)/\(payload.head.hex)" }

  /// Nil if there are none, or if they are damaged.
  static func read(of payload: Container, in repository: borrowing Directory) -> Report.PatchFigures? {
    do throws(Failure) {
      guard let status = try repository.status(of: name(payload)), status.kind == .file else { return nil }
      let limit = PublisherLimits.keptFigures
      guard status.size <= limit else { return nil }
      let bytes = try repository.open(name(payload)).bytes(upTo: limit)
      do throws(JSONLine.Flaw) {
        let line = try JSONLine.value(Line.self, parsing: bytes)
        return line.format == format && line.figures.isComplete ? line.figures : nil
      } catch { return nil }
    } catch { return nil }
  }

  /// Keeps the figures of a payload.
  static func keep(
    _ figures: Report.PatchFigures, of payload: Container, in workspace: borrowing Workspace
  ) throws(PublisherError) {
    let unfinished = "\(payload.head.hex).figures"
    let file = try workspace.create(unfinished)
    let text = JSONLine.text(Line(figures: figures)) + "\n"
    try onFile { () throws(Failure) in try file.write(text) }
    try workspace.promote(unfinished, as: name(payload))
  }

  static func makeFolder(in repository: borrowing Directory) throws(PublisherError) {
    try onFile { () throws(Failure) in try repository.makeDirectory(folder) }
  }

  /// Removes the figures of payloads that are gone; the payloads are locked.
  static func clean(_ repository: borrowing Directory) throws(Failure) {
    guard try repository.status(of: folder)?.kind == .directory else { return }
    let kept = try repository.openDirectory(folder)
    var gone: Set<String> = []
    try kept.forEachName { (name) throws(Failure) in
      if try repository.status(of: "payloads/\(name).patch") == nil { gone.insert(name) }
    }
    try kept.removeTrees { gone.contains($0) }
  }
}
