internal import Crypto
package import Platform

extension BundleContents {
  /// Where a bundle is written to.
  package enum Place {
    /// A tar archive: a file, which appears when it is complete, or standard output.
    case archive(OutputPath)
    case directory(path: String)

    /// By the name that a user gives: `-`, one that ends in `.tar`, or a directory.
    package init(_ name: String) throws(PublisherError) {
      guard name == "-" || name.hasSuffix(".tar") else {
        self = .directory(path: name)
        return
      }
      self = .archive(try onOperand { () throws(OperandError) in try OutputPath(name, inputs: []) })
    }
  }

  /// Writes the bundle; one that fails leaves nothing with the name of a complete one.
  ///
  /// - `progress`: gets the bytes so far, and the file that they are of.
  package func write(
    to place: Place, from repository: Repository, progress: (UInt64, String) -> Void = { _, _ in }
  ) throws(PublisherError) {
    switch place {
    case .archive(let output) where output.isStandardOutput:
      // Its reader verifies each file, as a device does with those of a server.
      var sink = try ArchiveSink(
        onFile { () throws(Failure) in try File(standardOutput: output.path) })
      try write(to: &sink, from: repository, progress: progress)
    case .archive(let output):
      let archive = try onFile { () throws(Failure) in try OutputFile(output) }
      var sink = try ArchiveSink(
        onFile { () throws(Failure) in try File(duplicating: archive.file) })
      try write(to: &sink, from: repository, progress: progress)
      try onFile { () throws(Failure) in try archive.complete() }
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
