package import JSONReading
package import Platform

/// Where trusted metadata is kept: the bytes as they were received, under the names of their roles.
///
///     root.json timestamp.json snapshot.json targets.json    the top-level roles
///     ROLE.json                                               delegated ones, percent-encoded
///     floor                                                   the time that it cannot be before (`TimeFloor`)
///
/// A file is replaced by one rename after its bytes are flushed, so that power loss leaves the old or the
/// new one. What is there is verified again whenever it is read.
package struct MetadataDirectory: ~Copyable {
  private let directory: Directory

  /// Takes the directory for this process alone, waiting for another one for some seconds, and removes what
  /// power loss left of a file.
  ///
  /// - `shouldStop`: asked while waiting; true ends it with `cancelled`.
  package init(
    _ directory: consuming Directory, shouldStop: () -> Bool = { false }
  ) throws(TrustError) {
    try MetadataDirectory.lock(directory, shouldStop: shouldStop)
    try storing { () throws(Failure) in
      try directory.forEachName { (name) throws(Failure) in
        if name.utf8.suffix(9).elementsEqual(".json.new".utf8) { try directory.remove(name) }
      }
    }
    self.directory = directory
  }

  /// Only reads what is there, without waiting for a process that writes: every file in it is replaced by one rename.
  package init(reading directory: consuming Directory) { self.directory = directory }

  private static func lock(_ directory: borrowing Directory, shouldStop: () -> Bool) throws(TrustError) {
    let isLocked: Bool
    do throws(Failure) {
      isLocked = try directory.lock(.exclusive, within: 10_000, every: 100, shouldStop: shouldStop)
    } catch { throw error.errno == .wouldBlock ? .busy(path: directory.path) : .file(error) }
    guard isLocked else { throw .cancelled }
  }

  /// The bytes of a role's file; nil if there is none, or more than `limit` of them.
  package func read(_ role: Name, upTo limit: UInt64) throws(TrustError) -> [UInt8]? {
    try storing { () throws(Failure) in
      let name = MetadataDirectory.fileName(role)
      guard let status = try directory.status(of: name), status.kind == .file, status.size <= limit else {
        return nil
      }
      return try directory.open(name).bytes(upTo: limit)
    }
  }

  package func write(_ role: Name, bytes: [UInt8]) throws(TrustError) {
    try storing { () throws(Failure) in
      try directory.replace(MetadataDirectory.fileName(role), with: bytes)
    }
  }

  func remove(_ role: Name) throws(TrustError) {
    try storing { () throws(Failure) in try directory.remove(MetadataDirectory.fileName(role)) }
  }

  func readFloor() throws(TrustError) -> [UInt8]? {
    try storing { () throws(Failure) in
      guard let status = try directory.status(of: "floor"), status.kind == .file else { return nil }
      return try directory.open("floor").bytes(upTo: 32)
    }
  }

  func write(floor text: String) throws(TrustError) {
    try storing { () throws(Failure) in try directory.replace("floor", with: Array(text.utf8)) }
  }

  private static func fileName(_ role: Name) -> String { role.percentEncoded + ".json" }
}
