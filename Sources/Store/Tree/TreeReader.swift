internal import Crypto
package import Platform

/// A component of many files that is there as a whole.
package final class TreeReader: TreeBytes {
  package let front: TreeFront
  package let size: UInt64
  let files: Directory
  /// The file that was read last, and its number.
  private var file: File?
  private var number = -1

  /// - `size`: bytes of the component.
  init(_ directory: borrowing Directory, _ place: TreePlace, size: UInt64) throws(Failure) {
    let front = try TreeFront(try directory.open(place.front), total: size)
    let files = try directory.openDirectory(place.files)
    self.front = front
    self.files = files
    self.size = size
  }

  package func readPiece(into buffer: inout MutableRawSpan, at offset: UInt64) throws(Failure) -> Int {
    if offset < front.size { return try front.read(into: &buffer, at: offset) }
    let index = try front.index(of: offset)
    let member = try front.member(index)
    if number != index {
      file = try files.open(member.name)
      number = index
    }
    return try buffer.fill(from: 0, upTo: member.end - offset) { (piece) throws(Failure) in
      switch self.file {
      case .some(let file): try file.readTwice(into: &piece, at: offset - member.offset)
      case .none: 0
      }
    }
  }

  /// The digest of all of it.
  ///
  /// - `shouldStop`: asked before each piece; true ends it with `cancelled`.
  func digest(readFrom source: ReadSource, shouldStop: () -> Bool) throws(Failure) -> Digest {
    if source == .storage {
      for index in 0..<front.count {
        if shouldStop() { throw .cancelled }
        try self.files.open(self.front.member(index).name).dropCache()
      }
    }
    return try Verification.digest(shouldStop: shouldStop) { (buffer, offset) throws(Failure) in
      try self.read(into: &buffer, at: offset)
    }
  }
}
