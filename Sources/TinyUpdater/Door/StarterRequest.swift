internal import MapService

/// What a `Door` asks of its `DoorStarter`.
///
/// As a message: to stop a command, a zero and its number in eight bytes; to start one, the number of the method from 1 and the words, each
/// with a NUL after it.
enum StarterRequest: Equatable {
  case start(MapMethod, [String])
  case stop(UInt64)

  /// The most bytes of a message: more than a call can make.
  static var largest: Int { 64 << 10 }

  /// Nil if it is neither.
  init?(_ message: [UInt8]) {
    guard let first = message.first else { return nil }
    guard first > 0 else {
      guard let number = StarterRequest.number(message.dropFirst()) else { return nil }
      self = .stop(number)
      return
    }
    let methods = MapMethod.allCases
    guard Int(first) <= methods.count, message.count > 1, message.last == 0 else { return nil }
    let words = message.dropFirst().dropLast().split(separator: 0, omittingEmptySubsequences: false)
    self = .start(
      methods[methods.index(methods.startIndex, offsetBy: Int(first) - 1)],
      words.map { String(decoding: $0, as: UTF8.self) })
  }

  var bytes: [UInt8] {
    switch self {
    case .stop(let number): return [0] + StarterRequest.bytes(of: number)
    case .start(let method, let words):
      let number = MapMethod.allCases.firstIndex(of: method) ?? 0
      return words.reduce([UInt8(number + 1)]) { $0 + Array($1.utf8) + [0] }
    }
  }

  /// The number of a command, the lowest byte first.
  static func bytes(of number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }

  /// Nil if it is none.
  static func number(_ bytes: ArraySlice<UInt8>) -> UInt64? {
    bytes.count == 8 ? bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } : nil
  }
}
