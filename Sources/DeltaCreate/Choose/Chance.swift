/// Chances in 4096ths.
enum Chance {
  /// A chance of 1.
  static var one: Int { 4096 }

  /// What something with each chance costs, in eighths of a bit: minus its binary logarithm.
  ///
  /// Without the logarithm of a library, which could differ in its last bits, and with it a patch.
  static func costs() -> [UInt8] {
    (0...one).map { chance in
      // The whole part, then three bits by squaring.
      var value = Double(max(chance, 1)) / Double(one)
      var eighths: UInt8 = 0
      while value < 0.5 {
        value *= 2
        eighths += 8
      }
      for bit: UInt8 in [4, 2, 1] {
        value *= value
        if value < 0.5 {
          value *= 2
          eighths += bit
        }
      }
      return eighths
    }
  }
}
