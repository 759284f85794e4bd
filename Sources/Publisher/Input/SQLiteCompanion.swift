internal import Platform

/// A file that SQLite keeps beside a database while a program writes it.
package struct SQLiteCompanion {
  /// The name of the database.
  let database: String
  let kind: Kind

  package enum Kind: Equatable, CaseIterable, Sendable {
    /// The last commits, which are not in the database yet.
    case writeAheadLog
    /// An index of the write-ahead log.
    case sharedMemory
    /// The pages that an unfinished change has overwritten.
    case journal

    fileprivate var suffix: String {
      switch self {
      case .writeAheadLog: "-wal"
      case .sharedMemory: "-shm"
      case .journal: "-journal"
      }
    }
  }

  /// Nil for any other file.
  ///
  /// - `names`: those in the directory of the file.
  init?(_ name: String, among names: Set<String>) {
    for kind in Kind.allCases where name.hasSuffix(kind.suffix) {
      let database = String(name.dropLast(kind.suffix.count))
      guard names.contains(database), !DataFileName(database).isDocument else { continue }
      self.database = database
      self.kind = kind
      return
    }
    return nil
  }

  /// Without the file, the database lacks something or is damaged.
  ///
  /// - `front`: its first bytes. SQLite empties a log or journal that it keeps, or clears its header.
  func isNeeded(front: [UInt8]) -> Bool {
    switch kind {
    case .writeAheadLog, .journal: front.contains { $0 != 0 }
    case .sharedMemory: false
    }
  }
}

/// The first bytes of a data file, as far as they show whether it is a database of SQLite (sqlite.org/fileformat2.html).
struct SQLiteHeader {
  static let length = 20
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A database in WAL mode: commits go to a file beside it first.
  var usesWriteAheadLog: Bool {
    bytes.count == SQLiteHeader.length && bytes.starts(with: Array("SQLite format 3\0".utf8))
      && bytes[18] == 2
      && bytes[19] == 2
  }
}
