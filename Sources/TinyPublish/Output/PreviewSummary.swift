internal import MapModel
internal import Platform
internal import Publisher

/// The output of `release --dry-run`.
struct PreviewSummary {
  private let preview: ReleasePreview

  init(_ preview: ReleasePreview) { self.preview = preview }

  /// The table of components that are new or changed, and a sentence; a refusal names the packages that are lost itself.
  var text: String {
    var table = Table([
      ("file", .left), ("package", .left), ("data group", .left), ("old", .right), ("new", .right),
    ])
    var changed: (count: Int, size: UInt64) = (0, 0)
    for component in preview.components where !component.isUnchanged {
      changed = (changed.count + 1, changed.size + component.size)
      table.add([
        component.input, component.name.id.text, component.name.dataGroup.text,
        component.previousSize.map { ByteCount($0).text } ?? "-",
        ByteCount(component.size).text,
      ])
    }
    let release = preview.release
    let all = preview.components.count
    return (changed.count > 0 ? table.text + "\n" : "") + """
      Release \(release.number), \(release.label), would have \(all) components: \(changed.count) new or changed, \
      \(ByteCount(changed.size).text), and \(preview.gone.count) of the previous release removed. It would take up to \
      \(ByteCount(preview.space).text). Nothing was published.

      """ + (preview.refusal == nil ? preview.lost.sentences.map { $0 + "\n" }.joined() : "")
  }
}
