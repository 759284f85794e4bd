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
    do throws(Failure) { writer = try ArchiveWriter(file) } catch { throw .bundling(error) }
  }

  mutating func begin(_ name: String, size: UInt64) throws(PublisherError) {
    do throws(Failure) { try writer.begin(name, size: size) } catch { throw .bundling(error) }
  }

  mutating func write(_ bytes: RawSpan) throws(PublisherError) {
    do throws(Failure) { try writer.write(bytes) } catch { throw .bundling(error) }
  }

  mutating func finish() throws(PublisherError) {
    do throws(Failure) { try writer.finish() } catch { throw .bundling(error) }
  }
}

/// A directory, which is a repository as soon as the bundle is complete.
struct DirectorySink: BundleSink, ~Copyable {
  private let directory: Directory
  private var file: File?

  /// Makes the directory; one that exists has to be empty.
  init(_ path: String) throws(PublisherError) {
    let made = try onFile { () throws(Failure) in try Directory(making: path) }
    var isEmpty = true
    try onFile { () throws(Failure) in try made.forEachName { (_) throws(Failure) in isEmpty = false } }
    guard isEmpty else { throw .bundle(.exists(path: path)) }
    directory = made
  }

  mutating func begin(_ name: String, size: UInt64) throws(PublisherError) {
    try end()
    // The one file that is not named by its content, or that others name, is the last to appear.
    let name = name == ServedMetadata.timestampPath ? DirectorySink.unfinished : name
    file = try onFile { () throws(Failure) in
      try directory.makeParents(of: name)
      let file = try directory.open(name, to: .make)
      try file.reserve(size)
      return file
    }
  }

  mutating func write(_ bytes: RawSpan) throws(PublisherError) {
    try onFile { () throws(Failure) in try file?.write(bytes) }
  }

  mutating func finish() throws(PublisherError) {
    try end()
    try onFile { () throws(Failure) in
      try directory.synchronizeFileSystem()
      try directory.rename(DirectorySink.unfinished, to: ServedMetadata.timestampPath)
      try directory.openDirectory(ServedMetadata.folder).synchronize()
    }
  }

  private static var unfinished: String { "\(ServedMetadata.timestampPath).part" }

  private mutating func end() throws(PublisherError) {
    guard let ended = file.take() else { return }
    do throws(Failure) { try ended.close() } catch { throw .file(error) }
  }
}

extension PublisherError {
  /// What libarchive refuses is of the bundle; everything else is of the file.
  fileprivate static func bundling(_ failure: Failure) -> PublisherError {
    if case .badArchive(let sentence) = failure {
      .bundle(.archive(sentence: sentence))
    } else {
      .file(failure)
    }
  }
}
