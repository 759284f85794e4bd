package import Crypto
package import Platform

/// Containers that are kept whole, for an update that must not need the network any more, or where downloads are limited:
/// `HEAD.container`, by the digest of the head; with `.part` it is a partial download.
extension Staging {
  /// Bytes of the complete container; nil if it is not there.
  package func storedContainer(_ head: Digest) throws(Failure) -> UInt64? {
    try directory.status(of: Staging.container(head))?.size
  }

  /// Bytes of the partial download; nil if there is none.
  package func partOfContainer(_ head: Digest) throws(Failure) -> UInt64? {
    try directory.status(of: Staging.container(head) + ".part")?.size
  }

  /// Opens a complete container.
  package func openContainer(_ head: Digest) throws(Failure) -> File {
    try directory.open(Staging.container(head))
  }

  /// Gives a complete container another name among `files`.
  package func linkContainer(_ head: Digest, to files: borrowing Staging) throws(Failure) {
    try share(Staging.container(head), with: files)
  }

  static func container(_ head: Digest) -> String { head.hex + ".container" }
}

extension LockedStaging {
  /// Opens the partial download, which may be empty, to resume it.
  package func openContainerPart(_ head: Digest) throws(Failure) -> File {
    try reading.directory.open(Staging.container(head) + ".part", to: .update)
  }

  /// Gives the complete download its name.
  ///
  /// Nothing is flushed: before an update in place depends on the file, `GenerationBuilder.finish` flushes all of the file
  /// system. Every byte is authenticated whenever it is read.
  package func completeContainer(_ head: Digest) throws(Failure) {
    try reading.directory.rename(Staging.container(head) + ".part", to: Staging.container(head))
  }

  /// Removes a container, complete or not.
  package func removeContainer(_ head: Digest) throws(Failure) {
    try reading.directory.remove(Staging.container(head))
    try reading.directory.remove(Staging.container(head) + ".part")
  }

  /// Opens a complete file to give parts of it back.
  package func openConsumed(_ digest: Digest) throws(Failure) -> File {
    try reading.directory.open(digest.hex, to: .update)
  }

  /// The file system can give back a part of a file: it is asked with a file that is removed again.
  package func canPunch() throws(Failure) -> Bool {
    let name = "punch.probe"
    defer { do throws(Failure) { try reading.directory.remove(name) } catch {} }
    do throws(Failure) {
      let file = try reading.directory.open(name, to: .replace)
      let bytes = [UInt8](repeating: 1, count: 64 << 10)
      try file.write(bytes.span.bytes)
      try file.punch(from: 0, count: 32 << 10)
      return true
    } catch {
      guard error.errno?.isOfMissingSupport == true else { throw error }
      return false
    }
  }
}
