internal import Platform
internal import Trust

extension ServedMetadata {
  /// The metadata of one moment, and its files.
  ///
  /// Without a lock, so that it disturbs nobody who publishes: only the timestamp is ever replaced, and as long as that
  /// is the same, so is what it leads to.
  static func withFiles(
    of repository: Repository
  ) throws(PublisherError) -> (served: ServedMetadata, files: [BundleFile]) {
    for _ in 0..<10 {
      let before = try timestamp(of: repository)
      let served = try ServedMetadata(of: repository)
      let files = try served.files(in: try repository.open())
      if try timestamp(of: repository) == before { return (served, files) }
    }
    throw .repository(.busy(path: repository.path))
  }

  /// The bytes of the timestamp that is served now.
  static func timestamp(of repository: Repository) throws(PublisherError) -> [UInt8] {
    let directory = try repository.open()
    return try onFile { () throws(Failure) in
      try directory.open(timestampPath).bytes(upTo: PublisherLimits.metadataFile)
    }
  }

  /// Every root, so that a device can follow from the one that it trusts; then the rest.
  private func files(in directory: borrowing Directory) throws(PublisherError) -> [BundleFile] {
    let roots = (1...root.head.version).map { SignedFile.name(.root, version: $0) }
    let rest = [timestamp, snapshot, targets].map(\.name)
    var files: [BundleFile] = []
    for name in roots + rest {
      let path = "\(ServedMetadata.folder)/\(name)"
      // A root that is gone was the first one of no device that is still in use.
      guard try directory.fileSize(of: path) != nil else { continue }
      let bytes = try onFile { () throws(Failure) in
        try directory.open(path).bytes(upTo: PublisherLimits.metadataFile)
      }
      files.append(BundleFile(name: path, bytes: bytes))
    }
    return files
  }
}
