internal import Archive
internal import Platform

/// A bundle that is a directory, as on a stick.
final class DirectoryBundle {
  private let directory: Directory
  private var file: File?

  init(_ directory: consuming Directory) { self.directory = directory }

  var path: String { directory.path }

  func has(_ name: String) throws(ArchiveError) -> Bool {
    do throws(FileError) { return try directory.status(of: name)?.kind == .file } catch { throw .file(error) }
  }

  func open(_ name: String) throws(ArchiveError) -> UInt64? {
    guard try has(name) else { return nil }
    do throws(FileError) {
      let opened = try directory.open(name)
      let size = try opened.size()
      file = consume opened
      return size
    } catch { throw .file(error) }
  }

  func read(into buffer: inout MutableRawSpan) throws(ArchiveError) -> Int {
    do throws(FileError) { return try file?.read(into: &buffer) ?? 0 } catch { throw .file(error) }
  }
}
