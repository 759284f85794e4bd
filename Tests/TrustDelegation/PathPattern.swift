import JSONReading
internal import Trust

/// A glob pattern over target paths (TUF 1.0, section 4.6).
///
/// `*` stands for any characters and `?` for one, neither ever for a slash; everything else, `[` too, stands
/// for itself. Letters differ by case, and nothing is normalized.
struct PathPattern: Equatable {
  private let pattern: [UInt8]

  init(_ pattern: Name) { self.pattern = pattern.bytes }

  /// In at most as many steps as the product of both lengths: only the last `*` is ever tried again.
  ///
  /// An earlier one need not be: it ends at the slash that follows it, where the path's segment ends too.
  func matches(_ path: Name) -> Bool {
    let text = path.bytes
    var (position, place) = (0, 0)
    var star: (place: Int, position: Int)?
    while position < text.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (place, position)
        place += 1
      } else if place < pattern.count, let length = matched(by: pattern[place], of: text, at: position) {
        position += length
        place += 1
      } else if let last = star, text[last.position] != UInt8(ascii: "/") {
        star = (last.place, last.position + 1)
        position = last.position + 1
        place = last.place + 1
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// The bytes of the text that a byte of the pattern stands for; nil if it does not stand for what is there.
  private func matched(by byte: UInt8, of text: [UInt8], at position: Int) -> Int? {
    guard byte == UInt8(ascii: "?") else { return byte == text[position] ? 1 : nil }
    func isContinuation(_ byte: UInt8) -> Bool { 0x80...0xbf ~= byte }
    guard text[position] != UInt8(ascii: "/"), !isContinuation(text[position]) else { return nil }
    return 1 + text[(position + 1)...].prefix(while: isContinuation).count
  }
}
