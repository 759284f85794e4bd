internal import Catalog
internal import Crypto
internal import DeltaApply
internal import Platform

/// The payloads that lie in a repository, by what they are made from and what they make.
///
/// Their heads say it, so that an interrupted run needs no notes to find again what it has made.
struct PayloadIndex: Sendable {
  private var containers: [Key: Container] = [:]

  /// Their heads know a file by its size and a few bytes of its digest.
  private struct Key: Hashable {
    let oldSize: UInt64
    let oldCheck: UInt32
    let newSize: UInt64
    let newCheck: UInt64
  }

  /// Reads the head of every payload; a file that is not whole or not named by its head is none.
  init(of repository: Repository) throws(PublisherError) {
    let root = try repository.open()
    let folder = try onFile { () throws(FileError) in try root.openDirectory("payloads") }
    var names: [String] = []
    try onFile { () throws(FileError) in
      try folder.forEachName { (name) throws(FileError) in names.append(name) }
    }
    for name in names {
      let file = try onFile { () throws(FileError) in try folder.open(name) }
      let size = try onFile { () throws(FileError) in try file.size() }
      guard let opening = PayloadIndex.opening(of: file) else { continue }
      let head = opening.head
      let container = Container(head, digest: opening.digest, size: size)
      guard container.url == "payloads/\(name)" else { continue }
      add(
        container,
        Key(oldSize: head.oldSize, oldCheck: head.oldCheck, newSize: head.newSize, newCheck: head.newCheck))
    }
  }

  /// What seems to be the container that makes `new` from `old`; from nothing if that is nil.
  ///
  /// Its head says so in a few bytes, so it has to be applied before it is used.
  subscript(old: FileDigest?, new: FileDigest) -> Container? {
    let oldCheck = UInt32(truncatingIfNeeded: old?.digest.check ?? 0)
    return containers[
      Key(oldSize: old?.size ?? 0, oldCheck: oldCheck, newSize: new.size, newCheck: new.digest.check)]
  }

  /// Of two that do the same the smaller one counts, whatever the order of the directory.
  private mutating func add(_ container: Container, _ key: Key) {
    if let other = containers[key], (other.size, other.url) < (container.size, container.url) { return }
    containers[key] = container
  }

  /// The beginning of a payload; nil if it is none.
  private static func opening(of file: borrowing File) -> PatchOpening? {
    do throws(DeltaError) { return try PatchOpening(readingFrom: file) } catch { return nil }
  }
}
