internal import MapService
internal import Platform

/// What a `Door` asks of its `DoorStarter`.
///
/// As a message: to stop a command, a zero and its number in decimal digits; to start one, a byte with the number of the
/// method, counted from 1, and the words, each with a NUL after it.
indirect enum StarterRequest: Equatable {
  case start(MapMethod, [String])
  case stop(UInt64)

  /// The most bytes of a message: more than a call can make.
  static var largest: Int { 64 << 10 }

  /// Nil if it is neither.
  init?(_ message: [UInt8]) {
    guard let first = message.first else { return nil }
    guard first > 0 else {
      guard let number = UInt64(ascii: message.dropFirst()) else { return nil }
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
    case .stop(let number): return [0] + Array("\(number)".utf8)
    case .start(let method, let words):
      let number = MapMethod.allCases.firstIndex(of: method) ?? 0
      return words.reduce([UInt8(number + 1)]) { $0 + Array($1.utf8) + [0] }
    }
  }
}
