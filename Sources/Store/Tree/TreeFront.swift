package import Crypto
internal import MapModel
package import Platform

/// The front of a component that consists of many files: their names, sizes and digests (`docs/format/tree.md`).
///
/// Read in pieces of 64 files, so that the memory hardly depends on how many there are. A class, since readers and writers
/// of the same component share it.
package final class TreeFront {
  /// One of the files.
  package struct Member {
    /// Below the directory of the component.
    package let name: String
    /// Where its bytes begin in the component.
    package let offset: UInt64
    package let size: UInt64
    package let digest: Digest

    package var end: UInt64 { offset + size }
  }

  /// How many files there are.
  package let count: Int
  /// Bytes of the front.
  package let size: UInt64
  private let file: File
  /// Where the first file of each piece begins, in the component and among the names.
  private var marks: [(offset: UInt64, name: UInt64)] = []
  /// The piece that was read last.
  private var piece: (number: Int, members: [Member]) = (-1, [])

  /// Bytes of the part that says how long the front is.
  package static var headSize: Int { 16 }
  package static var magic: [UInt8] { Array("TUT1".utf8) }
  /// Files of one component: what is kept of each in memory is a byte.
  package static var maximumCount: Int { 1 << 20 }
  private static var pieceCount: Int { 64 }

  /// The size in bytes of a front that describes `files` files whose names take `names` bytes.
  package static func size(files: Int, names: Int) -> Int { TreeTables(files).names + names }

  /// The offset of a file's digest in a front that describes `files` files.
  package static func digestOffset(_ index: Int, files: Int) -> Int {
    TreeTables(files).digests + Digest.size * index
  }

  /// How many files a front has, by its first `headSize` bytes.
  static func files(_ head: [UInt8]) -> UInt64 { head.number(at: 4, bytes: 4) }

  /// Bytes of a front, by its first `headSize` bytes; nil if it is none.
  package static func size(_ head: [UInt8]) -> UInt64? {
    guard head.count >= headSize, head.starts(with: magic) else { return nil }
    let (files, names) = (head.number(at: 4, bytes: 4), head.number(at: 8, bytes: 4))
    guard (1...UInt64(TreeFront.maximumCount)).contains(files),
      names <= files * UInt64(ComponentPath.maximumSize)
    else { return nil }
    return UInt64(size(files: Int(files), names: Int(names)))
  }

  /// - `file`: begins with the front, and may go on.
  /// - `total`: bytes of the component.
  package init(_ file: consuming File, total: UInt64) throws(Failure) {
    let path = file.path
    func refused() -> Failure { Failure(.invalid, path: path) }
    let head = try TreeFront.bytes(of: file, at: 0, count: TreeFront.headSize)
    guard let size = TreeFront.size(head), size <= total else { throw refused() }
    self.size = size
    count = Int(TreeFront.files(head))
    let tables = TreeTables(count)
    var (offset, name) = (size, UInt64(tables.names))
    var marks: [(offset: UInt64, name: UInt64)] = []
    var first = 0
    while first < self.count {
      marks.append((offset, name))
      let number = min(TreeFront.pieceCount, self.count - first)
      let sizes = try TreeFront.bytes(of: file, at: tables.sizes + 8 * first, count: 8 * number)
      let lengths = try TreeFront.bytes(of: file, at: tables.lengths + 2 * first, count: 2 * number)
      for index in 0..<number {
        let bytes = sizes.number(at: 8 * index, bytes: 8)
        guard bytes <= total - offset, name <= size else { throw refused() }
        offset += bytes
        name += lengths.number(at: 2 * index, bytes: 2)
      }
      first += number
    }
    guard offset == total, name == size else { throw refused() }
    self.marks = marks
    self.file = file
  }

  private static func bytes(
    of file: borrowing File, at offset: Int, count: Int
  ) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var span = bytes.mutableSpan
    var space = span.mutableBytes
    guard try file.readTwice(into: &space, at: UInt64(offset)) == count else {
      throw Failure(.invalid, path: file.path)
    }
    return bytes
  }

  /// The file with this number, counted from 0 in the order of their names, which the writer of the files has checked.
  package func member(_ index: Int) throws(Failure) -> Member {
    let number = index / TreeFront.pieceCount
    if piece.number != number { piece = (number, try read(number)) }
    return piece.members[index % TreeFront.pieceCount]
  }

  /// The number of the file that has the byte at `offset`, which is in one.
  package func index(of offset: UInt64) throws(Failure) -> Int {
    let number = max(1, marks.partitionPoint { $0.offset <= offset }) - 1
    var index = number * TreeFront.pieceCount
    while index + 1 < count, try member(index).end <= offset { index += 1 }
    return index
  }

  private func read(_ number: Int) throws(Failure) -> [Member] {
    let first = number * TreeFront.pieceCount
    let count = min(TreeFront.pieceCount, self.count - first)
    let tables = TreeTables(self.count)
    let sizes = try TreeFront.bytes(of: file, at: tables.sizes + 8 * first, count: 8 * count)
    let digests = try TreeFront.bytes(
      of: file, at: tables.digests + Digest.size * first, count: Digest.size * count)
    let lengths = try TreeFront.bytes(of: file, at: tables.lengths + 2 * first, count: 2 * count)
    var (offset, place) = marks[number]
    var members: [Member] = []
    for index in 0..<count {
      let (size, length) = (sizes.number(at: 8 * index, bytes: 8), lengths.number(at: 2 * index, bytes: 2))
      let name = String(
        decoding: try TreeFront.bytes(of: file, at: Int(place), count: Int(length)), as: UTF8.self)
      let digest = Digest(digests.span.bytes.extracting(Digest.size * index..<Digest.size * (index + 1)))
      guard let path = ComponentPath(name), !path.isTree, let digest, size <= .max - offset else {
        throw Failure(.invalid, path: file.path)
      }
      members.append(Member(name: name, offset: offset, size: size, digest: digest))
      offset += size
      place += length
    }
    return members
  }

  /// Reads bytes of the front itself.
  func read(into buffer: inout MutableRawSpan, at offset: UInt64) throws(Failure) -> Int {
    try buffer.fill(from: 0, upTo: size - offset) { (piece) throws(Failure) in
      try self.file.readTwice(into: &piece, at: offset)
    }
  }
}

/// Where the tables of a front begin (`docs/format/tree.md`).
private struct TreeTables {
  let sizes = TreeFront.headSize
  let digests: Int
  let lengths: Int
  let names: Int

  /// - `files`: how many there are.
  init(_ files: Int) {
    digests = sizes + 8 * files
    lengths = digests + Digest.size * files
    names = lengths + 2 * files
  }
}

extension [UInt8] {
  /// The little-endian number in `bytes` bytes, which are there.
  fileprivate func number(at offset: Int, bytes: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in (0..<bytes).reversed() { number = number << 8 | UInt64(self[offset + index]) }
    return number
  }
}
