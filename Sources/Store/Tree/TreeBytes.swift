package import Platform

/// The bytes of a component that consists of many files, in one sequence: its front, and one file after the other.
package protocol TreeBytes: AnyObject {
  /// Bytes of the component.
  var size: UInt64 { get }

  /// Fills the front of `buffer` with bytes from `offset`, up to the end of the front or of a file; returns their count.
  func readPiece(into buffer: inout MutableRawSpan, at offset: UInt64) throws(Failure) -> Int
}

extension TreeBytes {
  /// Fills the front of `buffer` with the bytes from `offset`; returns their count, less only at the end.
  package func read(into buffer: inout MutableRawSpan, at offset: UInt64) throws(Failure) -> Int {
    var done = 0
    while done < buffer.byteCount, offset + UInt64(done) < size {
      let place = offset + UInt64(done)
      let count = try buffer.fill(from: done) { (piece) throws(Failure) in
        try self.readPiece(into: &piece, at: place)
      }
      if count == 0 { break }
      done += count
    }
    return done
  }
}

extension MutableRawSpan {
  /// Has `body` fill the bytes from `start`, `limit` of them at most; returns what it does.
  @_lifetime(self: copy self)
  mutating func fill(
    from start: Int, upTo limit: UInt64 = .max, by body: (inout MutableRawSpan) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    let count = min(byteCount - start, Int(clamping: limit))
    return try withUnsafeMutableBytes { (bytes) throws(Failure) in
      let part = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + count])
      var piece = unsafe MutableRawSpan(_unsafeBytes: part)
      return try body(&piece)
    }
  }
}
