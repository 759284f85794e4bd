internal import Platform

/// A piece of HTML or SVG.
///
/// What is written as a literal is markup; each text that is put into it is escaped, in an element as in an attribute.
struct Markup: ExpressibleByStringInterpolation, Equatable, Sendable {
  private(set) var source: String

  init() { source = "" }
  init(stringLiteral markup: String) { source = markup }
  init(stringInterpolation: StringInterpolation) { source = stringInterpolation.source }

  static func += (a: inout Markup, b: Markup) { a.source += b.source }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var source = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      source.reserveCapacity(literalCapacity + 8 * interpolationCount)
    }

    mutating func appendLiteral(_ markup: String) { source += markup }
    mutating func appendInterpolation(_ markup: Markup) { source += markup.source }
    mutating func appendInterpolation(_ number: some BinaryInteger) { source += String(number) }
    mutating func appendInterpolation(_ text: String) { Markup.escape(text, into: &source) }
    mutating func appendInterpolation(_ bytes: ByteCount) { source += bytes.text }
  }

  /// Control characters become question marks, as on a terminal.
  private static func escape(_ text: String, into source: inout String) {
    guard text.utf8.contains(where: { $0 >= 0x7f || special($0) != nil || $0 < 0x20 }) else {
      source += text
      return
    }
    for scalar in text.printable().unicodeScalars {
      if scalar.isASCII, let entity = special(UInt8(truncatingIfNeeded: scalar.value)) {
        source += entity
      } else {
        source.unicodeScalars.append(scalar)
      }
    }
  }

  /// What has a meaning in HTML, and how it is written as text.
  private static func special(_ byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: nil
    }
  }
}

extension Markup {
  /// An id or path, which may go on in the next line after each slash, and nowhere within a word.
  init(id: String) {
    let parts = id.split(separator: "/", omittingEmptySubsequences: false)
    self.init()
    for (index, part) in parts.enumerated() {
      self += index == 0 ? "\(String(part))" : "/<wbr>\(String(part))"
    }
  }
}

extension [Markup] {
  /// All of them, one after the other.
  var joined: Markup { reduce(into: Markup()) { $0 += $1 } }
}
