internal import MapModel
internal import Platform

/// How packages and data groups follow from the names of files, such as `eu_{country}_{group}.{ext}`.
///
/// `{group}` is the data group, `{version}` a version or date that plays no role, `{ext}` all from a dot on; any other name in
/// braces stands for a part of the id. What is not in braces has to be there as it is.
package struct NameLayout: Equatable, Sendable {
  package let text: String
  /// For each part of the path that it describes, the last ones.
  private let parts: [[Piece]]

  /// The meaning of a file's path.
  struct Reading: Equatable {
    /// The parts of the id, and the directories above the described part of the path.
    let id: [String]
    /// Nil if the layout does not name data groups.
    let dataGroup: String?
  }

  private enum Piece: Equatable {
    case literal([UInt8])
    case id
    case group
    case version
    case ending

    /// The byte may be part of it.
    func takes(_ byte: UInt8, after count: Int) -> Bool {
      let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      return switch self {
      case .literal: false
      case .id, .group: byte != UInt8(ascii: ".")
      case .version: isDigit || (count == 0 ? byte == UInt8(ascii: "v") : ".-_".utf8.contains(byte))
      case .ending: true
      }
    }
  }

  /// Nil if it is not a layout: it names no part of an id, or two fields follow one another.
  package init?(_ text: String) {
    var parts: [[Piece]] = []
    for part in text.parts(separatedBy: "/") {
      guard let pieces = NameLayout.pieces(part) else { return nil }
      parts.append(pieces)
    }
    let all = parts.joined()
    guard all.contains(.id), all.count(where: { $0 == .group }) <= 1, text.utf8.count <= 512 else {
      return nil
    }
    self.text = text
    self.parts = parts
  }

  private static func pieces(_ text: String) -> [Piece]? {
    var pieces: [Piece] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.first {
      guard first == UInt8(ascii: "{") else {
        let literal = rest.prefix { $0 != UInt8(ascii: "{") }
        if literal.contains(UInt8(ascii: "}")) { return nil }
        pieces.append(.literal(Array(literal)))
        rest = rest.dropFirst(literal.count)
        continue
      }
      let name = rest.dropFirst().prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
      guard !name.isEmpty, rest.dropFirst(name.count + 1).first == UInt8(ascii: "}") else { return nil }
      if let last = pieces.last, case .literal = last {} else if !pieces.isEmpty { return nil }
      switch String(decoding: name, as: UTF8.self) {
      case "group": pieces.append(.group)
      case "version": pieces.append(.version)
      case "ext": pieces.append(.ending)
      default: pieces.append(.id)
      }
      rest = rest.dropFirst(name.count + 2)
    }
    return pieces.isEmpty ? nil : pieces
  }

  /// Reads the path of a file below the input; nil if it has other names.
  func read(_ path: [String]) -> Reading? {
    guard path.count >= parts.count else { return nil }
    var id = Array(path.dropLast(parts.count))
    var group: String?
    for (pieces, name) in zip(parts, path.suffix(parts.count)) {
      guard let values = NameLayout.match(pieces, Array(name.utf8)) else { return nil }
      for (piece, value) in zip(pieces, values) {
        let text = String(decoding: value, as: UTF8.self)
        if piece == .id { id.append(text) } else if piece == .group { group = text }
      }
    }
    return Reading(id: id, dataGroup: group)
  }

  /// The text of each piece; the first pieces take as much as they can.
  private static func match(_ pieces: [Piece], _ name: [UInt8]) -> [ArraySlice<UInt8>]? {
    var dead: Set<[Int]> = []
    /// The rest of the pieces in the rest of the name; each place is tried once.
    func match(_ index: Int, at start: Int) -> [ArraySlice<UInt8>]? {
      guard index < pieces.count else { return start == name.count ? [] : nil }
      guard !dead.contains([index, start]) else { return nil }
      var lengths: [Int] = []
      if case .literal(let bytes) = pieces[index] {
        if name[start...].starts(with: bytes) { lengths = [bytes.count] }
      } else {
        var length = 0
        while start + length < name.count, pieces[index].takes(name[start + length], after: length) {
          length += 1
          lengths.append(length)
        }
      }
      for length in lengths.reversed() {
        guard let rest = match(index + 1, at: start + length) else { continue }
        return [name[start..<start + length]] + rest
      }
      dead.insert([index, start])
      return nil
    }
    return match(0, at: 0)
  }
}

extension NameLayout {
  /// The layout that takes the number, or the date, out of a name that has one: `malta_2024-06.zip` gives
  /// `{map}_{version}.{ext}`; nil if it has none, or the name would be nothing else.
  static func withoutVersion(of name: String) -> NameLayout? {
    let stem = Array(DataFileName(name).stem.utf8)
    guard let start = stem.lastIndex(where: { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
      return nil
    }
    let separators = "_-. ".utf8
    var (first, last) = (start, start)
    while first > 0, Piece.version.takes(stem[first - 1], after: 1) { first -= 1 }
    while first < start, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= stem[first]) { first += 1 }
    while last + 1 < stem.count, Piece.version.takes(stem[last + 1], after: 1) { last += 1 }
    if first > 1, stem[first - 1] == UInt8(ascii: "v"), separators.contains(stem[first - 2]) { first -= 1 }
    let isAtEnd = last + 1 == stem.count
    let isBeforeMap = !isAtEnd && first == 0
    let before = String(decoding: stem[..<first], as: UTF8.self)
    let ending = DataFileName(name).ending.isEmpty ? "" : ".{ext}"
    if isAtEnd, let separator = before.utf8.last, separators.contains(separator), before.utf8.count > 1 {
      return NameLayout("{map}\(String(decoding: [separator], as: UTF8.self)){version}\(ending)")
    }
    if isBeforeMap, separators.contains(stem[last]) || separators.contains(stem[last + 1]) {
      let separator = separators.contains(stem[last]) ? stem[last] : stem[last + 1]
      return NameLayout("{version}\(String(decoding: [separator], as: UTF8.self)){map}\(ending)")
    }
    return nil
  }
}
