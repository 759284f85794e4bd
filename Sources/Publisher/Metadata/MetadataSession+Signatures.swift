internal import Trust

/// Signatures that are made on other machines.
extension MetadataSession {
  /// Adds the signatures of returned files, and publishes the changes that have enough of them.
  package mutating func importSignatures(_ paths: [String]) throws(PublisherError) -> ChangeOutcome {
    guard !pending.isEmpty else { throw .signatures(.nothingPending(path: repository.path)) }
    var merged = pending
    for path in paths {
      let file = try SignedFile(at: path)
      switch file.role {
      case .root: merged.root = try merge(file, path: path, into: merged.root)
      case .targets: merged.targets = try merge(file, path: path, into: merged.targets)
      case .snapshot, .timestamp: throw .signatures(.notPending(path: path))
      }
    }
    let outcome = try apply(merged)
    guard case .pending(let missing) = outcome, pending.files.count > 1 else { return outcome }
    // One of them may be complete without the other.
    for file in pending.files {
      var part = PendingFiles()
      if file.role == .root { part.root = file } else { part.targets = file }
      if try apply(part) == .published { break }
    }
    let rest = missing.filter { missing in pending.files.contains { $0.name == missing.file } }
    return rest.isEmpty ? .published : .pending(rest)
  }

  private func merge(
    _ file: SignedFile, path: String, into waiting: SignedFile?
  ) throws(PublisherError) -> SignedFile {
    guard var merged = waiting, merged.version == file.version else {
      throw .signatures(.notPending(path: path))
    }
    guard merged.canonical == file.canonical else { throw .signatures(.contentDiffers(path: path)) }
    for key in try signers(file.role, next: nextRoot()) where file.isSigned(by: key) {
      for signature in file.signatures where signature.keyID == key.id { merged.add(signature) }
    }
    return merged
  }
}
