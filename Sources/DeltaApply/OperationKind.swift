/// What an operation of a block does: one byte in the stream of kinds.
///
/// The low three bits say which, the high five are its parameter. Without that stream all are `.old`.
package enum OperationKind: Equatable, Sendable {
  /// Bytes of the old file, with differences.
  case old
  /// Bytes of the new file that are written already, with differences.
  case new
  /// Units of so many 64-bit numbers, 1 to 4, from the last to the first: a line that is gone along the other way.
  case oldReversed(unit: Int)
  case newReversed(unit: Int)
  case numbers(Numbers)
  /// As `.old`, but the step leads from where the operation before the last one has ended in the old file: after a
  /// stretch from elsewhere it goes on where it was.
  case oldAgain

  /// Decimal fractions as IEEE 754 doubles, little-endian.
  package struct Numbers: Equatable, Sendable {
    /// Digits behind the point, 0 to 9.
    package let decimals: Int
    /// How many numbers back the one stands that each is told against, 1 to 3.
    package let stride: Int
    package let base: Base

    package init(decimals: Int, stride: Int, base: Base) {
      self.decimals = decimals
      self.stride = stride
      self.base = base
    }
  }

  /// Where the numbers stand that the first ones are told against.
  package enum Base: UInt8, Sendable {
    /// In the operation with numbers before.
    case history = 4
    /// In the bytes of the new file before.
    case output = 5
    /// In the operation before, but one number was left out in between.
    case skipped = 6
  }

  /// Whether it takes bytes of the old file.
  package var isOld: Bool {
    switch self {
    case .old, .oldReversed, .oldAgain: true
    case .new, .newReversed, .numbers: false
    }
  }

  package init?(_ byte: UInt8) {
    let parameter = Int(byte >> 3)
    switch byte & 7 {
    case 0 where parameter == 0: self = .old
    case 1 where parameter == 0: self = .new
    case 2 where parameter < 4: self = .oldReversed(unit: parameter + 1)
    case 3 where parameter < 4: self = .newReversed(unit: parameter + 1)
    case 7 where parameter == 0: self = .oldAgain
    case let low:
      guard let base = Base(rawValue: low), parameter < 30 else { return nil }
      self = .numbers(Numbers(decimals: parameter / 3, stride: parameter % 3 + 1, base: base))
    }
  }

  package var byte: UInt8 {
    switch self {
    case .old: 0
    case .new: 1
    case .oldReversed(let unit): 2 | UInt8(unit - 1) << 3
    case .newReversed(let unit): 3 | UInt8(unit - 1) << 3
    case .oldAgain: 7
    case .numbers(let numbers): numbers.base.rawValue | UInt8(numbers.decimals * 3 + numbers.stride - 1) << 3
    }
  }
}
