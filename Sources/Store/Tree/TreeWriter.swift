internal import MapModel
package import Platform

/// The files of a component that consists of many, as its bytes come: each byte goes to the file that it belongs to.
///
/// A file that the older component has as well, with the same name and digest, gets another name instead of being written.
/// In staging, such a component is a directory: `front`, and `files` with the files.
package final class TreeWriter: TreeBytes {
  private let directory: Directory
  package let size: UInt64
  /// How many files it has; nil: that is not known.
  private let files: UInt64?
  private let base: TreeReader?
  /// Nil until its front is complete.
  private var front: TreeFront?
  private var frontFile: File
  /// Bytes of the front, as soon as they are known.
  private var frontSize: UInt64?
  /// The files that are linked, by their numbers.
  private var isLinked: [Bool] = []
  /// The file that was written or read last, and its number.
  private var file: File?
  private var number = -1

  /// - `directory`: with what there is of it.
  /// - `files`: how many it has to have.
  /// - `completed`: bytes that are there and are not written again.
  /// - `base`: an installed component, whose files may be used.
  init(
    _ directory: consuming Directory, size: UInt64, files: UInt64?, completed: UInt64, base: TreeReader?
  ) throws(Failure) {
    try directory.makeDirectory("files")
    let frontFile = try directory.open("front", to: .update)
    self.directory = directory
    self.size = size
    self.files = files
    self.base = base
    self.frontFile = frontFile
    try readHead()
    if let frontSize, frontSize <= completed { try begin() }
  }

  private func readHead() throws(Failure) {
    var head = [UInt8](repeating: 0, count: TreeFront.headSize)
    var span = head.mutableSpan
    var space = span.mutableBytes
    guard try frontFile.read(into: &space, at: 0) == TreeFront.headSize else { return }
    frontSize = TreeFront.size(head)
    guard let frontSize, frontSize <= size, files.map({ $0 == TreeFront.files(head) }) ?? true else {
      throw Failure(.invalid, path: directory.path)
    }
  }

  /// The front is complete: links the files that the older component has.
  private func begin() throws(Failure) {
    let front = try TreeFront(try directory.open("front"), total: size)
    isLinked = [Bool](repeating: false, count: front.count)
    var parents = ParentDirectories()
    var old = 0
    var last = ""
    for index in 0..<front.count {
      let member = try front.member(index)
      // Two files of one name would be one file, which may be linked.
      guard last.isEmpty || Identifier.isBefore(last, member.name) else {
        throw Failure(.invalid, path: directory.path)
      }
      last = member.name
      let path = "files/\(member.name)"
      try parents.make(for: path, in: directory)
      // A link that an earlier run has made must not be written to.
      if let status = try directory.status(of: path), status.kind != .file || status.links > 1 {
        try directory.removeTree(path)
      }
      if let base {
        while old < base.front.count,
          try Identifier.isBefore(base.front.member(old).name, member.name)
        {
          old += 1
        }
        if old < base.front.count {
          let same = try base.front.member(old)
          if Identifier.isSame(same.name, member.name), same.digest == member.digest, same.size == member.size
          {
            try directory.remove(path)
            try base.files.link(same.name, to: directory, as: path)
            isLinked[index] = true
            continue
          }
        }
      }
      if member.size == 0 { try directory.open(path, to: .replace).close() }
    }
    self.front = front
  }

  /// Takes bytes of the component.
  package func write(_ bytes: RawSpan, at offset: UInt64) throws(Failure) {
    var done = 0
    while done < bytes.byteCount {
      let place = offset + UInt64(done)
      let rest = bytes.extracting(done...)
      done += try writeOnce(rest, at: place)
    }
  }

  /// Writes the first bytes; returns how many.
  private func writeOnce(_ bytes: RawSpan, at offset: UInt64) throws(Failure) -> Int {
    guard let front else {
      // Nothing is known of what follows the front before that is complete.
      let end = frontSize ?? UInt64(TreeFront.headSize)
      guard offset < end else { throw Failure(.invalid, path: directory.path) }
      let count = min(bytes.byteCount, Int(clamping: end - offset))
      try frontFile.write(bytes.extracting(0..<count), at: offset)
      if frontSize == nil { try readHead() }
      if let frontSize, offset + UInt64(count) == frontSize { try begin() }
      return count
    }
    guard offset >= front.size, offset < size else { throw Failure(.invalid, path: directory.path) }
    let index = try front.index(of: offset)
    let member = try front.member(index)
    let count = min(bytes.byteCount, Int(clamping: member.end - offset))
    if isLinked[index] { return count }
    try open(index, member)
    switch file {
    case .some(let file): try file.write(bytes.extracting(0..<count), at: offset - member.offset)
    case .none: break
    }
    return count
  }

  /// Reads bytes that were written, or linked.
  package func readPiece(into buffer: inout MutableRawSpan, at offset: UInt64) throws(Failure) -> Int {
    guard let front, offset >= front.size else {
      return try buffer.fill(from: 0, upTo: (frontSize ?? .max) - offset) { (piece) throws(Failure) in
        try self.frontFile.readTwice(into: &piece, at: offset)
      }
    }
    let index = try front.index(of: offset)
    let member = try front.member(index)
    try open(index, member)
    return try buffer.fill(from: 0, upTo: member.end - offset) { (piece) throws(Failure) in
      switch self.file {
      case .some(let file): try file.readTwice(into: &piece, at: offset - member.offset)
      case .none: 0
      }
    }
  }

  private func open(_ index: Int, _ member: TreeFront.Member) throws(Failure) {
    if number == index { return }
    number = -1
    let isLinked = isLinked[index]
    let opened = try directory.open("files/\(member.name)", to: isLinked ? .read : .update)
    // What has another name is installed, and is never written to.
    let links = try opened.links()
    guard isLinked || links == 1 else { throw Failure(.invalid, path: opened.path) }
    file = consume opened
    number = index
  }

  /// Forgets all of it: its bytes come again from the first one.
  package func restart() throws(Failure) {
    (front, frontSize, isLinked, number) = (nil, nil, [], -1)
    file = nil
    try directory.removeTree("files")
    try directory.removeTree("front")
    try directory.makeDirectory("files")
    frontFile = try directory.open("front", to: .update)
  }

  /// Returns when what was written is durable.
  package func synchronize() throws(Failure) { try directory.synchronizeFileSystem() }
}
