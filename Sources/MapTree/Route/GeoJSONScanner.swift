internal import Catalog
internal import Platform

/// Finds the lines of a GeoJSON document (RFC 7946), byte by byte in constant memory.
///
/// A line is an array of two or more positions in a member `coordinates`; single points are none. Lines are joined in their
/// order.
struct GeoJSONScanner {
  private(set) var track: Track
  /// The bytes are not such a document.
  private(set) var isMalformed = false
  /// The arrays and objects that are open, the outermost first.
  private var open: [Container] = []
  private var string = PendingString()
  private var number: [UInt8] = []
  /// The member that comes next is `coordinates`.
  private var isAtCoordinates = false
  private var hasContent = false

  private static var deepest: Int { 64 }

  private enum Kind {
    case array, object
  }

  /// An array or object.
  private struct Container {
    let kind: Kind
    /// It is in a member `coordinates`.
    var isInCoordinates: Bool
    /// Of an array of numbers: the first two, and how many.
    var values: (Int64, Int64) = (0, 0)
    var numbers = 0
    /// Of an array of positions: the first, until there is a second.
    var firstPosition: Point?
    var positions = 0
  }

  private struct PendingString {
    var isOpen = false
    var isEscape = false
    var text: [UInt8] = []
  }

  init(_ track: Track) { self.track = track }

  /// The document is whole.
  var isComplete: Bool { hasContent && open.isEmpty && !string.isOpen && !isMalformed }

  mutating func take(_ byte: UInt8) {
    if string.isOpen { return takeInString(byte) }
    switch byte {
    case UInt8(ascii: "\""): string = PendingString(isOpen: true)
    case UInt8(ascii: "["), UInt8(ascii: "{"): begin(byte == UInt8(ascii: "[") ? .array : .object)
    case UInt8(ascii: "]"), UInt8(ascii: "}"): end(byte == UInt8(ascii: "]") ? .array : .object)
    case UInt8(ascii: ":"): isAtCoordinates = string.text.elementsEqual("coordinates".utf8)
    case UInt8(ascii: ","):
      endNumber()
      isAtCoordinates = false
    case 0...UInt8(ascii: " "): endNumber()
    default:
      guard !open.isEmpty else { return refuse() }
      if open[open.count - 1].kind == .array, open[open.count - 1].isInCoordinates {
        guard number.count < 64 else { return refuse() }
        number.append(byte)
      }
    }
  }

  private mutating func takeInString(_ byte: UInt8) {
    if string.isEscape {
      string.isEscape = false
    } else if byte == UInt8(ascii: "\\") {
      string.isEscape = true
    } else if byte == UInt8(ascii: "\"") {
      string.isOpen = false
      return
    }
    if string.text.count < 16 { string.text.append(byte) }
  }

  private mutating func begin(_ kind: Kind) {
    // One object, and what is in it.
    guard open.isEmpty ? !hasContent && kind == .object : open.count < GeoJSONScanner.deepest else {
      return refuse()
    }
    hasContent = true
    let isWithin = open.last.map { $0.isInCoordinates && $0.kind == .array } ?? false
    open.append(Container(kind: kind, isInCoordinates: isWithin || isAtCoordinates))
    isAtCoordinates = false
  }

  private mutating func end(_ kind: Kind) {
    endNumber()
    guard let closed = open.popLast(), closed.kind == kind else { return refuse() }
    guard closed.isInCoordinates, kind == .array, closed.numbers > 0 else { return }
    guard closed.numbers >= 2,
      let point = Coordinate.point(latitude: closed.values.1, longitude: closed.values.0)
    else { return refuse() }
    guard let around = open.indices.last, open[around].kind == .array else { return }
    open[around].positions += 1
    if open[around].positions == 1 {
      open[around].firstPosition = point
    } else {
      if let first = open[around].firstPosition { track.add(first) }
      open[around].firstPosition = nil
      track.add(point)
    }
  }

  private mutating func endNumber() {
    guard !number.isEmpty, let last = open.indices.last else { return }
    defer { number.removeAll(keepingCapacity: true) }
    open[last].numbers += 1
    // Heights and more follow.
    guard open[last].numbers <= 2 else { return }
    guard let value = Coordinate.tenMillionths(number) else { return refuse() }
    if open[last].numbers == 1 { open[last].values.0 = value } else { open[last].values.1 = value }
  }

  private mutating func refuse() { isMalformed = true }

  mutating func finish() { track.finish() }
}
