package import Platform

/// Follows the events from a moment on, through changes of the file.
package struct EventFollower: ~Copyable {
  private let directory: Directory
  private var file: File?
  private var offset: UInt64 = 0
  private var buffer = Buffer(count: 16 << 10)
  private var rest: [UInt8] = []

  /// Begins after the last line that is there now.
  package init(_ root: String) throws(Failure) {
    let directory = try EventFollower.open(root)
    let file = try EventFollower.newest(directory)
    let size = try EventFollower.size(file)
    self.directory = directory
    self.file = file
    offset = size
  }

  /// Calls `body` with each line that has come since the last call.
  package mutating func forEachLine(_ body: (String) -> Void) throws(Failure) {
    try readRest(body)
    // What was written to the old file before it was renamed has been read; the new one is read from its start.
    guard try isReplaced() else { return }
    try readRest(body)
    file = try EventFollower.newest(directory)
    offset = 0
    rest.removeAll()
    try readRest(body)
  }

  private mutating func readRest(_ body: (String) -> Void) throws(Failure) {
    while true {
      let count = try EventFollower.fill(&buffer, from: file, at: offset)
      if count == 0 { return }
      offset += UInt64(count)
      for index in 0..<count {
        let byte = unsafe buffer.bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
        if byte == 10 {
          body(String(decoding: rest, as: UTF8.self))
          rest.removeAll(keepingCapacity: true)
        } else if rest.count < StoreLimits.eventLine {
          rest.append(byte)
        }
      }
    }
  }

  private func isReplaced() throws(Failure) -> Bool {
    guard let newest = try directory.identity(of: "events") else { return false }
    switch file {
    case .some(let file): return try file.identity() != newest
    case .none: return true
    }
  }

  private static func open(_ root: String) throws(Failure) -> Directory {
    do throws(Failure) { return try Directory(opening: root) } catch {
      throw error.errno == .noEntry ? .noStore(path: root) : error
    }
  }

  /// Nil if nothing has happened yet.
  private static func newest(_ directory: borrowing Directory) throws(Failure) -> File? {
    do throws(Failure) { return try directory.open("events") } catch {
      guard error.errno == .noEntry else { throw error }
      return nil
    }
  }

  private static func size(_ file: borrowing File?) throws(Failure) -> UInt64 {
    switch file {
    case .some(let file): try file.size()
    case .none: 0
    }
  }

  private static func fill(
    _ buffer: inout Buffer, from file: borrowing File?, at offset: UInt64
  ) throws(Failure) -> Int {
    switch file {
    case .some(let file):
      var bytes = buffer.mutableBytes
      return try file.read(into: &bytes, at: offset)
    case .none: return 0
    }
  }
}
