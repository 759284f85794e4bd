internal import Platform
internal import Store

/// The directory that an export fills, file by file.
struct ExportDirectory: ~Copyable {
  private let directory: Directory
  /// Bytes that are there twice now.
  private(set) var copied: UInt64 = 0

  /// Makes it; one that exists has to be empty.
  init(_ path: String) throws(UpdateError) {
    let made = try wrap(file: Directory(making: path))
    var isEmpty = true
    try wrap(file: made.forEachName { _ in isEmpty = false })
    guard isEmpty else { throw .notEmpty(path: path) }
    directory = made
  }

  /// Gives `file` another name here; where that is not possible, as in another file system, it is copied.
  ///
  /// - `beat`: called between two pieces.
  mutating func add(
    _ file: borrowing File, as name: String, beat: () throws(UpdateError) -> Void
  ) throws(UpdateError) {
    try wrap(file: directory.makeParents(of: name))
    // Components with the same content are one file.
    if try wrap(file: directory.status(of: name)) != nil { return }
    if file.link(to: directory, as: name) { return }
    try copy(to: name, beat: beat) { (bytes, position) throws(FileError) in
      try file.read(into: &bytes, at: position)
    }
  }

  /// Writes the bytes of a component that consists of many files.
  mutating func add(
    _ tree: TreeReader, as name: String, beat: () throws(UpdateError) -> Void
  ) throws(UpdateError) {
    try wrap(file: directory.makeParents(of: name))
    if try wrap(file: directory.status(of: name)) != nil { return }
    try copy(to: name, beat: beat) { (bytes, position) throws(FileError) in
      try tree.read(into: &bytes, at: position)
    }
  }

  private mutating func copy(
    to name: String, beat: () throws(UpdateError) -> Void,
    from read: (inout MutableRawSpan, UInt64) throws(FileError) -> Int
  ) throws(UpdateError) {
    let copy = try wrap(file: directory.open(name, to: .make))
    var buffer = Buffer(count: 64 << 10)
    var position: UInt64 = 0
    while true {
      try beat()
      var bytes = buffer.mutableBytes
      let count: Int
      do throws(FileError) { count = try read(&bytes, position) } catch { throw UpdateError(error) }
      if count == 0 { break }
      try wrap(file: copy.write(buffer.bytes.extracting(first: count)))
      position += UInt64(count)
    }
    copied += position
    do throws(FileError) { try copy.close() } catch { throw UpdateError(error) }
  }

  func add(_ bytes: [UInt8], as name: String) throws(UpdateError) {
    do throws(FileError) {
      try directory.makeParents(of: name)
      let file = try directory.open(name, to: .make)
      try file.write(bytes.span.bytes)
      try file.close()
    } catch { throw UpdateError(error) }
  }

  /// Adds the file that makes all of it a repository, when everything before is durable.
  func complete(_ bytes: [UInt8], as name: String) throws(UpdateError) {
    try wrap(file: directory.synchronizeFileSystem())
    try wrap(file: directory.replace(name, with: bytes))
  }
}
