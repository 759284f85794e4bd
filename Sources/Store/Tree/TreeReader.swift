package import Crypto
package import Platform

/// The bytes of a component that consists of many files, in one sequence: its front, and one file after the other.
package final class TreeReader {
  package let front: TreeFront
  package let size: UInt64
  let files: Directory
  /// The file that was read last, and its number.
  private var file: File?
  private var number = -1

  /// - `size`: bytes of the component.
  init(_ directory: borrowing Directory, _ place: TreePlace, size: UInt64) throws(FileError) {
    let front = try TreeFront(try directory.open(place.front), total: size)
    let files = try directory.openDirectory(place.files)
    self.front = front
    self.files = files
    self.size = size
  }

  /// Fills the front of `buffer` with the bytes from `offset`; returns their count, less only at the end.
  package func read(into buffer: inout MutableRawSpan, at offset: UInt64) throws(FileError) -> Int {
    var done = 0
    while done < buffer.byteCount, offset + UInt64(done) < size {
      let place = offset + UInt64(done)
      let count = try buffer.fill(from: done) { (piece) throws(FileError) in
        try self.readOnce(into: &piece, at: place)
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  private func readOnce(into buffer: inout MutableRawSpan, at offset: UInt64) throws(FileError) -> Int {
    if offset < front.size {
      return try buffer.fill(from: 0, upTo: front.size - offset) { (piece) throws(FileError) in
        try self.front.read(into: &piece, at: offset)
      }
    }
    let index = try front.index(of: offset)
    let member = try front.member(index)
    if number != index {
      file = try files.open(member.name)
      number = index
    }
    return try buffer.fill(from: 0, upTo: member.end - offset) { (piece) throws(FileError) in
      switch self.file {
      case .some(let file): try file.readTwice(into: &piece, at: offset - member.offset)
      case .none: 0
      }
    }
  }

  /// The digest of all of it.
  ///
  /// - `fromStorage`: it is read from there, even if the kernel has its bytes in memory.
  /// - `shouldStop`: asked before each piece; true ends it with `cancelled`.
  func digest(fromStorage: Bool, shouldStop: () -> Bool) throws(StoreError) -> Digest {
    if fromStorage {
      for index in 0..<front.count {
        if shouldStop() { throw .cancelled }
        try storing { () throws(FileError) in try self.files.open(self.front.member(index).name).dropCache() }
      }
    }
    var hasher: Hasher
    do throws(HasherError) { hasher = try Hasher() } catch { throw .noMemory }
    var buffer = Buffer(count: 64 << 10)
    var offset: UInt64 = 0
    while true {
      if shouldStop() { throw .cancelled }
      let count = try fill(&buffer, at: offset)
      if count == 0 { break }
      do throws(HasherError) { try hasher.update(buffer.bytes.extracting(first: count)) } catch {
        throw .noMemory
      }
      offset += UInt64(count)
    }
    do throws(HasherError) { return try hasher.finish() } catch { throw .noMemory }
  }

  private func fill(_ buffer: inout Buffer, at offset: UInt64) throws(StoreError) -> Int {
    var bytes = buffer.mutableBytes
    return try storing { () throws(FileError) in try self.read(into: &bytes, at: offset) }
  }
}

extension MutableRawSpan {
  /// Has `body` fill the bytes from `start`, `limit` of them at most; returns what it does.
  @_lifetime(self: copy self)
  mutating func fill(
    from start: Int, upTo limit: UInt64 = .max, by body: (inout MutableRawSpan) throws(FileError) -> Int
  ) throws(FileError) -> Int {
    let count = min(byteCount - start, Int(clamping: limit))
    return try withUnsafeMutableBytes { (bytes) throws(FileError) in
      let part = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + count])
      var piece = unsafe MutableRawSpan(_unsafeBytes: part)
      return try body(&piece)
    }
  }
}
