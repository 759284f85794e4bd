/// The last three numbers of a section, the last one first: what the next ones are coded relative to.
package struct NumberHistory {
  private var numbers = [3 of Int64](repeating: 0)

  package init() {}

  /// The number `distance` before the next one, 1 to 3.
  package subscript(distance: Int) -> Int64 { numbers[distance - 1] }

  package mutating func append(_ number: Int64) {
    for index in (1..<3).reversed() { numbers[index] = numbers[index - 1] }
    numbers[0] = number
  }

  /// Prepares for the first number of a run.
  ///
  /// - `output`: the doubles that end 0, 1 and 2 doubles before the end of the output; bytes before the section count as
  ///   zeros.
  package mutating func begin(_ coding: NumberCoding, output: [3 of Double]) {
    switch coding.base {
    case .history: break
    case .output:
      for distance in (0..<coding.stride).reversed() {
        append(Decimal.integer(output[distance], decimals: coding.decimals))
      }
    case .skipped: append(self[coding.stride])
    }
  }

  /// Encodes the next number of a run.
  package mutating func encode(_ integer: Int64, stride: Int) -> UInt64 {
    defer { append(integer) }
    return Varint.zigzag(integer - self[stride])
  }

  /// Encodes the next number of a run into the column of numbers.
  package mutating func encode(_ integer: Int64, stride: Int, to bytes: inout [UInt8]) {
    Varint.append(encode(integer, stride: stride), to: &bytes)
  }

  /// Takes the next number of a run from the column of numbers; nil if it ends first, or a double does not hold the number
  /// exactly.
  package mutating func decode(
    _ cursor: inout ByteCursor, in block: Span<UInt8>, stride: Int
  ) -> Int64? {
    guard let number = cursor.number(in: block) else { return nil }
    return decode(number, stride: stride)
  }

  /// Decodes the next number of a run; nil if a double does not hold it exactly.
  package mutating func decode(_ number: UInt64, stride: Int) -> Int64? {
    let integer = self[stride] &+ Varint.unzigzag(number)
    guard integer.magnitude <= Decimal.limit.magnitude else { return nil }
    append(integer)
    return integer
  }
}
