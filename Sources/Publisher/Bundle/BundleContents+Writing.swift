internal import Crypto
internal import Platform

extension BundleContents {
  /// Where a bundle is written to.
  package enum Place: Equatable, Sendable {
    /// A tar archive, which appears when it is complete.
    case archive(path: String)
    case directory(path: String)
    case standardOutput

    /// By the name that a user gives: `-`, one that ends in `.tar`, or a directory.
    package init(_ name: String) {
      self =
        name == "-" ? .standardOutput : name.hasSuffix(".tar") ? .archive(path: name) : .directory(path: name)
    }
  }

  /// Writes the bundle; one that fails leaves nothing with the name of a complete one.
  ///
  /// - `progress`: gets the bytes so far, and the file that they are of.
  package func write(
    to place: Place, from repository: Repository, progress: (UInt64, String) -> Void = { _, _ in }
  ) throws(PublisherError) {
    switch place {
    case .standardOutput:
      var sink = try ArchiveSink(
        onFile { () throws(FileError) in try File(standardOutput: "standard output") })
      try write(to: &sink, from: repository, progress: progress)
    case .archive(let path):
      let unfinished = "\(path).part"
      do throws(PublisherError) {
        var sink = try ArchiveSink(
          onFile { () throws(FileError) in try File(opening: unfinished, to: .replace) })
        try write(to: &sink, from: repository, progress: progress)
        try sink.synchronize()
      } catch {
        File.remove(unfinished)
        throw error
      }
      try onFile { () throws(FileError) in try File.rename(unfinished, to: path) }
    case .directory(let path):
      var sink = try DirectorySink(path)
      try write(to: &sink, from: repository, progress: progress)
    }
  }

  private func write<Sink: BundleSink & ~Copyable>(
    to sink: inout Sink, from repository: Repository, progress: (UInt64, String) -> Void
  ) throws(PublisherError) {
    var done: UInt64 = 0
    for file in files {
      try sink.begin(file.name, size: file.size)
      if let bytes = file.bytes {
        try sink.write(bytes.span.bytes)
        done += file.size
      } else {
        try BundleContents.copy(file, from: repository, to: &sink) { count in
          done += count
          progress(done, file.name)
        }
      }
    }
    try sink.finish()
  }

  private static func copy<Sink: BundleSink & ~Copyable>(
    _ file: BundleFile, from repository: Repository, to sink: inout Sink, progress: (UInt64) -> Void
  ) throws(PublisherError) {
    let path = "\(repository.path)/\(file.name)"
    var left = file.size
    let found = try FileDigest.read(path) { (bytes) throws(PublisherError) in
      // One byte too many would destroy the archive.
      guard UInt64(bytes.byteCount) <= left else { throw .bundle(.damaged(path: path)) }
      left -= UInt64(bytes.byteCount)
      try sink.write(bytes)
      progress(UInt64(bytes.byteCount))
    }
    guard left == 0, file.digest == nil || file.digest == found.digest else {
      throw .bundle(.damaged(path: path))
    }
  }
}
