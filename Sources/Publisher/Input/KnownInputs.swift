internal import Crypto
internal import Platform

/// The components that the files of the input made last time, so that an unchanged file is not read again.
///
/// They are in `.inputs` in the repository: a cache, which may be removed at any time. A line has the five numbers of a
/// `FileVersion`, the digest of what precedes the file in the component, and that of the component, separated by spaces.
/// A component that is in there was durable when it was written.
struct KnownInputs: Sendable {
  private var components: [FileVersion: Component] = [:]
  /// When the list was written, in nanoseconds since 1970.
  private(set) var written: Int64 = 0

  /// The component that a file made.
  struct Component: Sendable {
    /// Of the bytes before those of the file.
    let front: Digest
    let digest: Digest
  }

  private static var name: String { ".inputs" }
  private static var firstLine: String { "inputs 2" }

  init() {}

  /// Empty if there are none, or if the file is damaged.
  init(of repository: borrowing Directory) {
    do throws(Failure) {
      guard try repository.status(of: KnownInputs.name)?.kind == .file else { return }
      let file = try repository.open(KnownInputs.name)
      written = try file.version().changed
      let bytes = try file.bytes(upTo: PublisherLimits.knownInputs + 1)
      if UInt64(bytes.count) <= PublisherLimits.knownInputs { parse(bytes) }
    } catch {}
  }

  /// The component that a file of this version made.
  subscript(version: FileVersion) -> Component? { components[version] }

  /// Replaces the whole list.
  ///
  /// The new file is among the unfinished ones until it is whole, so that the next command removes it after a kill.
  static func replace(
    by components: [HashedComponent], in repository: borrowing Directory
  ) throws(Failure) {
    var text = firstLine + "\n"
    for component in components {
      guard let version = component.version else { continue }
      text += "\(version.device) \(version.inode) \(version.size) \(version.modified) \(version.changed) "
      text += "\(component.frontDigest.hex) \(component.digest.hex)\n"
    }
    try repository.replace(name, with: Array(text.utf8), through: "\(Repository.work)/inputs")
  }

  private mutating func parse(_ bytes: [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
    guard lines.popFirst().map({ $0.elementsEqual(KnownInputs.firstLine.utf8) }) == true else { return }
    components.reserveCapacity(lines.count)
    for line in lines {
      let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 7, let device = UInt64(words[0]), let inode = UInt64(words[1]),
        let size = UInt64(words[2]), let modified = Int64(words[3]), let changed = Int64(words[4]),
        let front = Digest(hex: words[5]), let digest = Digest(hex: words[6])
      else { return components = [:] }
      let version = FileVersion(
        device: device, inode: inode, size: size, modified: modified, changed: changed)
      components[version] = Component(front: front, digest: digest)
    }
  }
}
