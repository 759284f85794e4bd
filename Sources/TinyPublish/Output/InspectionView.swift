internal import Catalog
internal import CatalogWriting
internal import Crypto
internal import DeltaApply
internal import MapModel
internal import PatchFormat
internal import Platform
internal import Publisher

/// The output of `inspect`.
struct InspectionView {
  private let inspection: Inspection
  /// Of a patch, if it is to be shown.
  var contents: PatchContents?

  init(_ inspection: Inspection) { self.inspection = inspection }

  /// For people.
  var text: String {
    switch inspection {
    case .component(let component, let size, let digest):
      Output.lines(
        [("format", "component")] + lines(component.description) + [
          ("file", Output.size(size)), ("data", "begins at byte \(component.dataOffset)"),
          ("sha256", digest.hex),
        ] + lines(component.description.geography))
    case .plain(let size, let digest):
      Output.lines([("format", "plain component"), ("file", Output.size(size)), ("sha256", digest.hex)])
    case .catalog(let document): text(document)
    case .patch(let patch): text(patch) + (contents.map { "\n" + PatchContentsView.text($0) } ?? "")
    case .metadata(let metadata): MetadataView.text(metadata)
    case .map(let map):
      Output.lines(
        [
          ("format", "map.xml"), ("id", map.id?.text ?? "as its directory"),
          ("group", map.group ?? "from the id"),
          ("country", map.country ?? "from the id"), ("region", map.region ?? "from the id"),
        ] + lines(map.geography))
    }
  }

  /// For programs.
  var answer: any Encodable { Answer.inspection(inspection, contents: contents) }

  private func lines(_ description: Description) -> [(title: String, value: String)] {
    var lines = [
      ("package", description.name.id.text), ("data group", description.name.dataGroup.text),
      ("group", description.group),
      ("country", description.country),
    ]
    if !description.region.isEmpty { lines.append(("region", description.region)) }
    lines.append(("last changed in", "release \(Output.release(description.release))"))
    lines.append(("data size", Output.size(description.dataSize)))
    if description.indexSize > 0 { lines.append(("index size", Output.size(description.indexSize))) }
    if description.minimumReader > 0 { lines.append(("minimum reader", "\(description.minimumReader)")) }
    if description.isDetail { lines.append(("detail", "yes: hidden where only larger regions are shown")) }
    return lines
  }

  private func lines(_ geography: Geography) -> [(title: String, value: String)] {
    var lines: [(title: String, value: String)] = []
    if let bounds = geography.bounds { lines.append(("bounds", Output.bounds(bounds))) }
    if !geography.polygons.isEmpty {
      let points = geography.polygons.reduce(0) { $0 + $1.utf8.count { $0 == UInt8(ascii: ",") } }
      lines.append(("polygons", "\(geography.polygons.count), of \(points) points"))
    }
    for name in geography.names {
      lines.append(("name \(name.language.isEmpty ? "en" : name.language)", name.text))
    }
    return lines
  }

  private func text(_ document: CatalogDocument) -> String {
    var lines = [(title: "format", value: document.release == nil ? "part of a catalog" : "catalog")]
    if let release = document.release { lines.append(("release", Output.release(release))) }
    if document.parts.isEmpty {
      let entries = document.components
      lines += [
        ("components", "\(entries.count)"), ("named regions", "\(document.regions.count)"),
        ("patches", "\(entries.reduce(0) { $0 + $1.patches.count })"),
        ("size", Output.size(entries.reduce(0) { $0 + $1.size })),
        ("full download", Output.size(entries.reduce(0) { $0 + $1.fullDownload })),
      ]
      return Output.lines(lines) + "\n" + table(entries).text
    }
    let groups = document.parts.flatMap(\.groups)
    lines += [
      ("parts", "\(document.parts.count), of \(Output.size(document.parts.reduce(0) { $0 + $1.file.size }))"),
      ("packages", "\(document.parts.reduce(0) { $0 + UInt64($1.packages) })"),
      ("components", "\(groups.reduce(0) { $0 + UInt64($1.components) })"),
      ("named regions", "\(document.regions.count)"),
      ("size", Output.size(groups.reduce(0) { $0 + $1.size })),
      ("full download", Output.size(groups.reduce(0) { $0 + $1.download })),
    ]
    return Output.lines(lines) + "\n" + table(document.parts).text
  }

  private func table(_ entries: [CatalogEntry]) -> Table {
    var table = Table([
      ("package", .left), ("data group", .left), ("changed in", .left), ("size", .right),
      ("full download", .right), ("patches", .left),
    ])
    for entry in entries {
      let sizes = entry.patches.map { ByteCount($0.container.size).text + ($0.to == nil ? "" : " (hop)") }
        .joined(separator: ", ")
      table.add([
        entry.name.id.text, entry.name.dataGroup.text, entry.description.release.label,
        ByteCount(entry.size).text,
        ByteCount(entry.fullDownload).text, sizes.isEmpty ? "-" : sizes,
      ])
    }
    return table
  }

  private func table(_ parts: [CatalogPart]) -> Table {
    var table = Table([
      ("first package", .left), ("last package", .left), ("packages", .right), ("full download", .right),
      ("part", .right), ("lists", .left),
    ])
    for part in parts {
      table.add([
        part.first.text, part.last.text, "\(part.packages)",
        ByteCount(part.groups.reduce(0) { $0 + $1.download }).text, ByteCount(part.file.size).text,
        part.level == 0 ? "components" : "parts",
      ])
    }
    return table
  }
}

/// A patch, for people.
extension InspectionView {
  private func text(_ patch: PatchInspection) -> String {
    let head = patch.head
    var lines = [(title: "format", value: head.oldSize == 0 ? "packed component" : "patch")]
    if head.oldSize > 0 { lines.append(("old file", Output.size(head.oldSize))) }
    lines += [
      ("new file", Output.size(head.newSize)),
      ("size", "\(Output.size(patch.size)), \(ByteCount(patch.size).share(of: head.newSize))"),
      ("head sha256", patch.headDigest.hex), ("memory", Output.size(head.memoryNeeded)),
      ("dictionary", Output.size(UInt64(head.shape.dictionarySize))),
      ("largest payload", Output.size(UInt64(head.shape.maximumPayload))),
      ("largest block", Output.size(UInt64(head.shape.maximumBlock))),
      (
        "sections", "\(patch.sections)" + (patch.sortedSections > 0 ? ", \(patch.sortedSections) sorted" : "")
      ),
      ("frames", "\(patch.frames), all with their digests"),
    ]
    return Output.lines(lines)
  }
}
