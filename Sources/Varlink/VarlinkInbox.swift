/// Splits the bytes of a connection into messages, which end with a NUL.
package struct VarlinkInbox {
  private var bytes: [UInt8] = []
  private let limit: Int

  /// - `limit`: bytes of a message at most, without its NUL.
  package init(limit: Int = VarlinkLimits.message) { self.limit = limit }

  /// How many bytes may be added; 0 while as many wait as may.
  package var room: Int { limit + 1 - bytes.count }

  /// Calls `body` to add bytes at the end.
  package mutating func fill<Result>(_ body: (inout [UInt8]) -> Result) -> Result { body(&bytes) }

  /// The next message, without its NUL; nil if it is not complete.
  package mutating func next() -> [UInt8]? {
    guard let end = bytes.firstIndex(of: 0) else { return nil }
    let message = Array(bytes[..<end])
    bytes.removeFirst(end + 1)
    return message
  }

  /// The message that comes is longer than any may be.
  package var isOverfull: Bool { room <= 0 && !bytes.contains(0) }
}
