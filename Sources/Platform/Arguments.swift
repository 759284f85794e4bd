internal import CPlatform

/// A command line split into options and operands by getopt_long(3): options in any place, `--` ends them.
///
/// An argument that looks like a negative number, such as `-33.9`, is an operand, because no option letter is a digit.
package struct Arguments {
  /// An option that is accepted.
  package struct Option {
    package let name: String
    /// Its letter for the short form, if it has one.
    package let letter: Unicode.Scalar?
    package let takesValue: Bool

    package init(_ name: String, letter: Unicode.Scalar? = nil, takesValue: Bool = false) {
      self.name = name
      self.letter = letter
      self.takesValue = takesValue
    }
  }

  /// The options in their order, with their values; the value of an option that takes none is empty.
  package private(set) var options: [(name: String, value: String)] = []
  /// The operands in their order.
  package private(set) var operands: [String] = []

  package init(
    count: CInt, values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, accepting accepted: [Option]
  ) throws(ArgumentError) {
    // getopt keeps the pointers: the names live until the end of `init`, each in a block of its own.
    var table: [CPlatform.option] = []
    // "-": an operand comes in its place, as an option with the code 1; ":": a missing value has a code of its own.
    var letters = "-:"
    defer { for entry in table { free(UnsafeMutablePointer(mutating: entry.name)) } }
    for (index, option) in accepted.enumerated() {
      guard let name = option.name.withPlatformString({ strdup($0) }) else {
        throw ArgumentError(.outOfMemory, operands: [])
      }
      table.append(
        CPlatform.option(name: name, has_arg: option.takesValue ? 1 : 0, flag: nil, val: CInt(1000 + index)))
      if let letter = option.letter { letters += String(letter) + (option.takesValue ? ":" : "") }
    }
    table.append(CPlatform.option())

    let flaw: ArgumentError.Flaw? = letters.withPlatformString { letters in
      table.withUnsafeBufferPointer { table in
        // An index of 0 makes getopt forget an earlier command line; without arguments it stops there.
        tu_set_option_index(0)
        // getopt's own messages would print the argument unescaped, whatever that does to a terminal.
        tu_silence_options()
        _ = getopt_long(min(count, 1), values, letters, table.baseAddress, nil)
        while true {
          if let number = Arguments.takeNumber(count, values: values) {
            operands.append(number)
            continue
          }
          let index = tu_option_index()
          let found = getopt_long(count, values, letters, table.baseAddress, nil)
          if found == -1 { return nil }
          if found == 1 {
            operands.append(String(platformString: tu_option_value()))
            continue
          }
          guard let option = Arguments.option(found, of: accepted) else {
            let text = String(platformString: index < count ? values[Int(index)] : nil)
            return found == CInt(UInt8(ascii: ":")) ? .missingValue(text) : .unknownOption(text)
          }
          options.append((option.name, option.takesValue ? String(platformString: tu_option_value()) : ""))
        }
      }
    }
    if let flaw { throw ArgumentError(flaw, operands: operands) }
    let first = Int(tu_option_index())
    for index in first..<max(first, Int(count)) { operands.append(String(platformString: values[index])) }
  }

  /// The last value of an option; nil if the option is not given.
  package func value(of name: String) -> String? { options.last { $0.name == name }?.value }

  package func has(_ name: String) -> Bool { value(of: name) != nil }

  /// Takes the next argument if it is a minus sign followed by a digit, or by a dot and a digit.
  ///
  /// getopt is never in the middle of such an argument, because it is looked at before getopt sees it.
  private static func takeNumber(
    _ count: CInt, values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) -> String? {
    let index = tu_option_index()
    guard index < count else { return nil }
    let text = String(platformString: values[Int(index)])
    let bytes = Array(text.utf8.prefix(3))
    let isDigit = { (place: Int) in bytes.count > place && (0x30...0x39).contains(bytes[place]) }
    guard bytes.first == UInt8(ascii: "-"), isDigit(1) || (bytes.dropFirst().first == 0x2e && isDigit(2))
    else { return nil }
    tu_set_option_index(index + 1)
    return text
  }

  private static func option(_ found: CInt, of accepted: [Option]) -> Option? {
    if found >= 1000 && Int(found) - 1000 < accepted.count { return accepted[Int(found) - 1000] }
    return accepted.first { $0.letter.map { CInt(bitPattern: $0.value) == found } ?? false }
  }
}
