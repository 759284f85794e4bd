internal import Catalog
internal import Crypto
internal import DeltaApply
internal import Platform

/// The payloads that lie in a repository, by what they are made from and what they make.
///
/// Their heads say it, so that an interrupted run needs no notes to find again what it has made.
struct PayloadIndex: Sendable {
  private var containers: [Key: Container] = [:]

  private struct Key: Hashable {
    let old: String
    let new: String
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
      guard let (head, digest) = try PayloadIndex.head(of: file) else { continue }
      let container = Container(head, digest: digest)
      guard container.url == "payloads/\(name)" else { continue }
      add(container, Key(old: (head.old?.digest ?? Digest()).hex, new: head.new.digest.hex))
    }
  }

  /// The container that makes `new` from `old`; from nothing if that is nil.
  subscript(old: Digest?, new: Digest) -> Container? {
    containers[Key(old: (old ?? Digest()).hex, new: new.hex)]
  }

  /// Of two that do the same the smaller one counts, whatever the order of the directory.
  private mutating func add(_ container: Container, _ key: Key) {
    if let other = containers[key], (other.size, other.url) < (container.size, container.url) { return }
    containers[key] = container
  }

  /// The head of a payload and its digest; nil if it has none, or not the size that it says.
  private static func head(
    of file: borrowing File
  ) throws(PublisherError) -> (head: PatchHead, digest: Digest)? {
    var bytes = [UInt8](repeating: 0, count: PatchHead.size)
    let (count, size) = try onFile { () throws(FileError) in
      var span = bytes.mutableSpan
      var space = span.mutableBytes
      return (try file.read(into: &space, at: 0), try file.size())
    }
    guard count == PatchHead.size else { return nil }
    let head: PatchHead
    do throws(DeltaError) { head = try PatchHead(parsing: bytes.span.bytes) } catch { return nil }
    guard head.containerSize == size else { return nil }
    do throws(HasherError) { return (head, try Hasher.digest(of: bytes.span.bytes)) } catch {
      throw .hashing(path: file.path)
    }
  }
}
