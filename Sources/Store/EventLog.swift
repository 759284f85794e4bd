internal import Platform

/// What happens, for other processes: one JSON object per line (`docs/events.md`).
///
///     events       the newest
///     events.old   those before
///
/// It is bounded, and not brought to the medium: it costs flash little, and means nothing after power loss. Whoever
/// writes never waits for whoever reads.
package struct EventLog {
  private let root: String

  /// The one of the store at `root`.
  package init(_ root: String) { self.root = root }

  /// Adds a line; one that cannot be written is lost, which must never stop an update.
  ///
  /// When the file has grown long, a new one begins.
  package func append(_ line: String) {
    do throws(FileError) {
      let directory = try Directory(opening: root)
      let file = try directory.open("events", .append)
      try file.write(line + "\n")
      guard try file.size() > Limits.events else { return }
      // The lock belongs to the file, not to its name: of two processes the second finds another identity.
      try file.lock()
      guard try directory.identity(of: "events") == file.identity() else { return }
      try directory.rename("events", to: "events.old")
    } catch {}
  }
}

/// Follows the events from a moment on, through changes of the file.
package struct EventFollower: ~Copyable {
  private let directory: Directory
  private var file: File?
  private var offset: UInt64 = 0
  private var buffer = Buffer(count: 16 << 10)
  private var rest: [UInt8] = []

  /// Begins behind the last line that is there now.
  package init(_ root: String) throws(StoreError) {
    let directory = try EventFollower.open(root)
    let file = try EventFollower.newest(directory)
    let size = try EventFollower.size(file)
    self.directory = directory
    self.file = file
    offset = size
  }

  /// Calls `body` with each line that has come since the last call.
  package mutating func forEachLine(_ body: (String) -> Void) throws(StoreError) {
    try readRest(body)
    // What was written to the old file before it was renamed has been read; the new one begins at its beginning.
    guard try isReplaced() else { return }
    try readRest(body)
    file = try EventFollower.newest(directory)
    offset = 0
    rest.removeAll()
    try readRest(body)
  }

  private mutating func readRest(_ body: (String) -> Void) throws(StoreError) {
    while true {
      let count = try EventFollower.fill(&buffer, from: file, at: offset)
      if count == 0 { return }
      offset += UInt64(count)
      for index in 0..<count {
        let byte = unsafe buffer.bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
        if byte == 10 {
          body(String(decoding: rest, as: UTF8.self))
          rest.removeAll(keepingCapacity: true)
        } else if rest.count < 64 << 10 {
          rest.append(byte)
        }
      }
    }
  }

  private func isReplaced() throws(StoreError) -> Bool {
    try storing { () throws(FileError) in
      guard let newest = try directory.identity(of: "events") else { return false }
      switch file {
      case .some(let file): return try file.identity() != newest
      case .none: return true
      }
    }
  }

  private static func open(_ root: String) throws(StoreError) -> Directory {
    do throws(FileError) { return try Directory(opening: root) } catch {
      throw error.errno == .noEntry ? .missing(path: root) : .file(error)
    }
  }

  /// Nil if nothing has happened yet.
  private static func newest(_ directory: borrowing Directory) throws(StoreError) -> File? {
    do throws(FileError) { return try directory.open("events") } catch {
      guard error.errno == .noEntry else { throw .file(error) }
      return nil
    }
  }

  private static func size(_ file: borrowing File?) throws(StoreError) -> UInt64 {
    switch file {
    case .some(let file): do throws(FileError) { return try file.size() } catch { throw .file(error) }
    case .none: return 0
    }
  }

  private static func fill(
    _ buffer: inout Buffer, from file: borrowing File?, at offset: UInt64
  ) throws(StoreError) -> Int {
    switch file {
    case .some(let file):
      var bytes = buffer.mutableBytes
      do throws(FileError) { return try file.read(into: &bytes, at: offset) } catch { throw .file(error) }
    case .none: return 0
    }
  }
}
