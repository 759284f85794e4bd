internal import Archive
internal import ArchiveWriting
internal import Platform

/// Where the files of a bundle go, one after the other.
protocol BundleSink: ~Copyable {
  /// Begins a file of exactly `size` bytes, which follow with `write`.
  mutating func begin(_ name: String, size: UInt64) throws(PublisherError)
  mutating func write(_ bytes: RawSpan) throws(PublisherError)
  /// All files are complete.
  mutating func finish() throws(PublisherError)
}

/// A tar archive.
struct ArchiveSink: BundleSink, ~Copyable {
  private var writer: ArchiveWriter

  init(_ file: consuming File) throws(PublisherError) {
    do throws(ArchiveError) { writer = try ArchiveWriter(file) } catch { throw PublisherError(error) }
  }

  mutating func begin(_ name: String, size: UInt64) throws(PublisherError) {
    do throws(ArchiveError) { try writer.begin(name, size: size) } catch { throw PublisherError(error) }
  }

  mutating func write(_ bytes: RawSpan) throws(PublisherError) {
    do throws(ArchiveError) { try writer.write(bytes) } catch { throw PublisherError(error) }
  }

  mutating func finish() throws(PublisherError) {
    do throws(ArchiveError) { try writer.finish() } catch { throw PublisherError(error) }
  }
}

/// A directory, which is a repository as soon as the bundle is complete.
struct DirectorySink: BundleSink, ~Copyable {
  private let directory: Directory
  private var file: File?

  /// Makes the directory; one that exists has to be empty.
  init(_ path: String) throws(PublisherError) {
    let made = try onFile { () throws(FileError) in try Directory(making: path) }
    var isEmpty = true
    try onFile { () throws(FileError) in try made.forEachName { (_) throws(FileError) in isEmpty = false } }
    guard isEmpty else { throw .bundle(.exists(path: path)) }
    directory = made
  }

  mutating func begin(_ name: String, size: UInt64) throws(PublisherError) {
    try end()
    // The one file that is not named by its content, or that others name, is the last to appear.
    let name = name == ServedMetadata.timestampPath ? DirectorySink.unfinished : name
    file = try onFile { () throws(FileError) in
      try directory.makeParents(of: name)
      let file = try directory.open(name, to: .make)
      try file.reserve(size)
      return file
    }
  }

  mutating func write(_ bytes: RawSpan) throws(PublisherError) {
    try onFile { () throws(FileError) in try file?.write(bytes) }
  }

  mutating func finish() throws(PublisherError) {
    try end()
    try onFile { () throws(FileError) in
      try directory.synchronizeFileSystem()
      try directory.rename(DirectorySink.unfinished, to: ServedMetadata.timestampPath)
      try directory.openDirectory(ServedMetadata.folder).synchronize()
    }
  }

  private static var unfinished: String { "\(ServedMetadata.timestampPath).part" }

  private mutating func end() throws(PublisherError) {
    guard let ended = file.take() else { return }
    do throws(FileError) { try ended.close() } catch { throw .file(error) }
  }
}

extension PublisherError {
  fileprivate init(_ error: ArchiveError) {
    self =
      switch error {
      case .file(let error): .file(error)
      case .malformed(let path, let cause): .bundle(.archive(path: path, cause: cause))
      case .entry(let name, let path, _): .bundle(.archive(path: path, cause: name))
      case .tooManyFiles(let path): .bundle(.archive(path: path, cause: "it has too many files"))
      case .noMemory, .cancelled: .bundle(.archive(path: "", cause: error.sentence))
      }
  }
}
