internal import Archive
internal import MapModel
internal import Platform

/// A bundle that comes through a pipe.
///
/// What was passed over is gone, so the files have to come in the order in which they are asked for: that in which
/// `tinypublish bundle` writes them (`BundleOrder`).
final class StreamBundle {
  private var reader: ArchiveReader
  /// The file that comes next, or whose bytes come next.
  private var next: ArchiveEntry?
  /// `next` is open: its bytes can be read once.
  private var isOpen = false

  init(_ reader: consuming ArchiveReader) throws(Failure) {
    self.reader = reader
    next = try self.reader.next()
  }

  var path: String { reader.path }

  func has(_ name: String) throws(Failure) -> Bool {
    let order = BundleOrder(name)
    while let entry = next, isOpen || BundleOrder(entry.name) < order { try advance() }
    return next.map { Identifier.isSame($0.name, name) } ?? false
  }

  func open(_ name: String) throws(Failure) -> UInt64? {
    let order = BundleOrder(name)
    while let entry = next, isOpen || BundleOrder(entry.name) <= order {
      if !isOpen && Identifier.isSame(entry.name, name) {
        isOpen = true
        return entry.size
      }
      try advance()
    }
    return nil
  }

  /// Passes over what comes before the first of these files; its name, or nil if none of them comes.
  func find(_ names: [String]) throws(Failure) -> String? {
    while let entry = next {
      if !isOpen && names.contains(where: { Identifier.isSame($0, entry.name) }) { return entry.name }
      try advance()
    }
    return nil
  }

  func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int { try reader.read(into: &buffer) }

  private func advance() throws(Failure) {
    next = try reader.next()
    isOpen = false
  }
}
