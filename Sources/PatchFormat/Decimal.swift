/// Decimal fractions in IEEE 754 doubles.
///
/// A fraction of up to nine digits is the quotient of two integers that a double holds exactly, and IEEE 754 rounds that
/// quotient correctly, so every machine makes the same 64 bits of it.
package enum Decimal {
  /// The most digits after the point.
  package static var maximumDigits: Int { 9 }

  /// Integers up to this magnitude are exact in a double.
  package static var limit: Int64 { 1 << 53 }

  /// The double of `integer` divided by ten to the power of `decimals`.
  package static func double(_ integer: Int64, decimals: Int) -> Double {
    Double(integer) / power(decimals)
  }

  /// The integer nearest to a double times ten to the power of `decimals`; 0 if there is none.
  package static func integer(_ double: Double, decimals: Int) -> Int64 {
    let scaled = double * power(decimals)
    guard scaled > -Double(limit), scaled < Double(limit) else { return 0 }  // NaN fails, too
    return Int64(scaled + (scaled < 0 ? -0.5 : 0.5))
  }

  private static func power(_ decimals: Int) -> Double {
    var power = 1.0
    for _ in 0..<decimals { power *= 10 }
    return power
  }
}
