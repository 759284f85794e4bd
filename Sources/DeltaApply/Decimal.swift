/// Decimal fractions in IEEE 754 doubles: a fraction of up to nine digits is the quotient of two integers that a double
/// holds exactly, and IEEE 754 rounds that quotient correctly, so that every machine makes the same 64 bits of it.
package enum Decimal {
  /// The most digits behind the point.
  package static var maximumDigits: Int { 9 }

  /// Integers up to here are doubles without a loss.
  static var limit: Int64 { 1 << 53 }

  /// The double of `integer` divided by ten to the power of `decimals`.
  package static func double(_ integer: Int64, _ decimals: Int) -> Double {
    Double(integer) / power(decimals)
  }

  /// The integer that is nearest to a double times ten to the power of `decimals`; 0 if there is none.
  package static func integer(_ double: Double, _ decimals: Int) -> Int64 {
    let scaled = double * power(decimals)
    guard scaled > -Double(limit), scaled < Double(limit) else { return 0 }  // not if it is no number, either
    return Int64(scaled + (scaled < 0 ? -0.5 : 0.5))
  }

  private static func power(_ decimals: Int) -> Double {
    var power = 1.0
    for _ in 0..<decimals { power *= 10 }
    return power
  }
}

/// The last numbers that were made, the last one first.
package struct DecimalHistory {
  private var numbers = [4 of Int64](repeating: 0)

  package init() {}

  /// The number `distance` before the next one.
  package subscript(distance: Int) -> Int64 { numbers[distance - 1] }

  package mutating func append(_ number: Int64) {
    for index in (1..<4).reversed() { numbers[index] = numbers[index - 1] }
    numbers[0] = number
  }
}
