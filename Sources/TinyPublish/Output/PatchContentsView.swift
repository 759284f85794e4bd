internal import PatchFormat
internal import Platform
internal import Publisher

/// The output of `inspect --contents`; columns and operations have the names of `docs/format/patch.md`.
enum PatchContentsView {
  /// For people: a table of columns, one of operations, and one of streams if there are any.
  static func text(_ contents: PatchContents) -> String {
    var columns = Table([
      ("column", .left), ("bytes", .right), ("compressed alone", .right), ("share", .right),
    ])
    let all = contents.columns.reduce(0) { $0 + $1.packedSize }
    for column in contents.columns where column.size > 0 {
      columns.add([
        "\(column.column)", "\(column.size)", "\(column.packedSize)",
        ByteCount(column.packedSize).share(of: all),
      ])
    }
    var operations = Table([("operation", .left), ("count", .right), ("bytes made", .right)])
    for kind in contents.operations where kind.count > 0 {
      operations.add(["\(kind.kind)", "\(kind.count)", "\(kind.bytes)"])
    }
    return columns.text + "\n" + operations.text + streams(contents)
  }

  private static func streams(_ contents: PatchContents) -> String {
    var table = Table([
      ("deflate streams rebuilt", .left), ("count", .right), ("bytes", .right), ("bytes of contents", .right),
    ])
    let rows = [
      ("from the old file", contents.streamsFromOld), ("without the old file", contents.streamsWithoutOld),
      ("with a guide", contents.streamsWithGuide),
    ].filter { $0.1.count > 0 }
    for (title, streams) in rows {
      table.add([title, "\(streams.count)", "\(streams.bytes)", "\(streams.contentBytes)"])
    }
    return rows.isEmpty ? "" : "\n" + table.text
  }
}
