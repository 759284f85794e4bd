internal import Trust

/// What the files wait for.
extension PendingFiles {
  /// The root that will be in force once they are published, after the one that is in force now.
  func nextRoot(after root: Root) throws(PublisherError) -> Root {
    guard let file = self.root else { return root }
    do throws(TrustError) { return try Root(Envelope(file.bytes, file: file.name)) } catch {
      throw .repository(.metadata(error))
    }
  }

  /// The signatures that they lack, when `root` is in force.
  func missingSignatures(after root: Root) throws(PublisherError) -> [MissingSignatures] {
    let next = try nextRoot(after: root)
    var ofRoot = try PendingFiles.missingSignatures(of: self.root, under: root)
    // The new root's own keys must sign it, too.
    if ofRoot == nil { ofRoot = try PendingFiles.missingSignatures(of: self.root, under: next) }
    return [ofRoot, try PendingFiles.missingSignatures(of: targets, under: next)].compactMap { $0 }
  }

  private static func missingSignatures(
    of file: SignedFile?, under root: Root
  ) throws(PublisherError) -> MissingSignatures? {
    guard let file else { return nil }
    let (found, threshold) = (try file.validKeys(root), Int(clamping: root.role(file.role).threshold))
    guard found < threshold else { return nil }
    return MissingSignatures(file: file.name, role: file.role, found: found, threshold: threshold)
  }
}
