internal import Archive
internal import MapModel
internal import Platform

/// A bundle that is a tar archive on a disk: its files are read in any order.
final class ArchiveBundle {
  private var reader: ArchiveReader
  private let index: ArchiveIndex

  init(_ reader: consuming ArchiveReader, index: ArchiveIndex) {
    self.reader = reader
    self.index = index
  }

  var path: String { reader.path }

  func has(_ name: String) throws(Failure) -> Bool { try index.offset(of: name) != nil }

  func open(_ name: String) throws(Failure) -> UInt64? {
    guard let offset = try index.offset(of: name) else { return nil }
    try reader.seek(to: offset)
    guard let entry = try reader.next(), Identifier.isSame(entry.name, name) else { return nil }
    return entry.size
  }

  func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int { try reader.read(into: &buffer) }
}
