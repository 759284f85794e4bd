internal import Platform
internal import Store

/// The directory that an export fills, file by file.
struct ExportDirectory: ~Copyable {
  private let directory: Directory
  /// Bytes that are there twice now.
  private(set) var copied: UInt64 = 0

  /// Makes it; one that exists has to be empty.
  init(_ path: String) throws(Failure) {
    let made = try Directory(making: path)
    var isEmpty = true
    try made.forEachName { _ in isEmpty = false }
    guard isEmpty else { throw .notEmpty(path: path) }
    directory = made
  }

  /// Gives `file` another name here; where that is not possible, as in another file system, it is copied.
  ///
  /// - `beat`: called between two pieces.
  mutating func add(
    _ file: borrowing File, as name: String, beat: () throws(Failure) -> Void
  ) throws(Failure) {
    try directory.makeParents(of: name)
    // Components with the same content are one file.
    if try directory.status(of: name) != nil { return }
    if file.link(to: directory, as: name) { return }
    try copy(to: name, beat: beat) { (bytes, position) throws(Failure) in
      try file.read(into: &bytes, at: position)
    }
  }

  /// Writes the bytes of a component that consists of many files.
  mutating func add(
    _ tree: TreeReader, as name: String, beat: () throws(Failure) -> Void
  ) throws(Failure) {
    try directory.makeParents(of: name)
    if try directory.status(of: name) != nil { return }
    try copy(to: name, beat: beat) { (bytes, position) throws(Failure) in
      try tree.read(into: &bytes, at: position)
    }
  }

  private mutating func copy(
    to name: String, beat: () throws(Failure) -> Void,
    from read: (inout MutableRawSpan, UInt64) throws(Failure) -> Int
  ) throws(Failure) {
    let copy = try directory.open(name, to: .make)
    var buffer = Buffer(count: 64 << 10)
    var position: UInt64 = 0
    while true {
      try beat()
      var bytes = buffer.mutableBytes
      let count = try read(&bytes, position)
      if count == 0 { break }
      try copy.write(buffer.bytes.extracting(first: count))
      position += UInt64(count)
    }
    copied += position
    try copy.close()
  }

  func add(_ bytes: [UInt8], as name: String) throws(Failure) {
    try directory.makeParents(of: name)
    let file = try directory.open(name, to: .make)
    try file.write(bytes.span.bytes)
    try file.close()
  }

  /// Removes what was added, so that the same export can be tried again.
  func empty() {
    var names: [String] = []
    do throws(Failure) {
      try directory.forEachName { names.append($0) }
      for name in names { try directory.removeTree(name) }
    } catch {}
  }

  /// Adds the file that makes all of it a repository, when everything before is durable.
  func complete(_ bytes: [UInt8], as name: String) throws(Failure) {
    try directory.synchronizeFileSystem()
    try directory.replace(name, with: bytes)
  }
}
