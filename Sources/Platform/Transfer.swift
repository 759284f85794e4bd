internal import CPlatform

/// What reading from or writing to a socket or pipe came to that never waits.
package enum Transfer: Equatable {
  case bytes(Int)
  /// Nothing at the moment.
  case later
  /// The other end is gone.
  case closed

  /// Reads what is there, at most `limit` bytes, to the end of `bytes`.
  static func read(_ raw: CInt, into bytes: inout [UInt8], upTo limit: Int) -> Transfer {
    let first = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: limit))
    let count = bytes.withUnsafeMutableBytes {
      CPlatform.read(raw, $0.baseAddress?.advanced(by: first), limit)
    }
    let error = Errno.last
    bytes.removeLast(limit - max(count, 0))
    if count > 0 { return .bytes(count) }
    return count < 0 && (error == .wouldBlock || error == .interrupted) ? .later : .closed
  }
}
