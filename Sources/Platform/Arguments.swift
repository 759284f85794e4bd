internal import CPlatform

/// A command line, taken apart by getopt_long(3): options in any place, `--` ends them.
///
/// What looks like a negative number, such as `-33.9`, is no option, as none is a digit.
package struct Arguments {
  /// One option of a command line.
  package struct Option {
    package let name: String
    /// Its letter for `-x`, if it has one.
    package let letter: Unicode.Scalar?
    package let takesValue: Bool

    package init(_ name: String, _ letter: Unicode.Scalar? = nil, takesValue: Bool = false) {
      self.name = name
      self.letter = letter
      self.takesValue = takesValue
    }
  }

  /// The options that were given, in their order, with their values.
  package private(set) var options: [(name: String, value: String)] = []
  /// Everything else, in its order.
  package private(set) var operands: [String] = []

  /// Nil if there was an unknown option or a value was missing, which was said on standard error.
  package init?(
    count: CInt, values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, accepting accepted: [Option]
  ) {
    // getopt keeps the pointers: the names live until the end of `init` in one block each.
    var table: [CPlatform.option] = []
    var letters = "-"  // operands come in their order, each as an option with the code 1
    for (index, option) in accepted.enumerated() {
      guard let name = option.name.withPlatformString({ strdup($0) }) else { return nil }
      table.append(
        CPlatform.option(name: name, has_arg: option.takesValue ? 1 : 0, flag: nil, val: CInt(1000 + index)))
      if let letter = option.letter { letters += String(letter) + (option.takesValue ? ":" : "") }
    }
    table.append(CPlatform.option())
    defer { for entry in table { free(UnsafeMutablePointer(mutating: entry.name)) } }

    let isUnderstood = letters.withPlatformString { letters in
      table.withUnsafeBufferPointer { table in
        // An index of 0 makes getopt forget an earlier command line; without arguments it stops there.
        tu_set_option_index(0)
        // It would write what it was given as it is, whatever that does to a terminal.
        tu_silence_options()
        _ = getopt_long(min(count, 1), values, letters, table.baseAddress, nil)
        while true {
          if let number = Arguments.takeNumber(count, values) {
            operands.append(number)
            continue
          }
          let index = tu_option_index()
          let found = getopt_long(count, values, letters, table.baseAddress, nil)
          if found == -1 { return true }
          if found == 1 {
            operands.append(String(platformString: tu_option_value()))
            continue
          }
          guard let option = Arguments.option(found, accepted) else {
            let text = String(platformString: index < count ? values[Int(index)] : nil)
            Terminal.writeLine("tinyupdater: \(text) is not an option, or its value is missing", to: .error)
            return false
          }
          options.append((option.name, option.takesValue ? String(platformString: tu_option_value()) : ""))
        }
      }
    }
    guard isUnderstood else { return nil }
    let first = Int(tu_option_index())
    for index in first..<max(first, Int(count)) { operands.append(String(platformString: values[index])) }
  }

  /// The last value given for an option; nil if it was not given.
  package func value(of name: String) -> String? { options.last { $0.name == name }?.value }

  package func has(_ name: String) -> Bool { value(of: name) != nil }

  /// Takes the next argument if it is a minus with a digit, or a dot and a digit, behind it.
  ///
  /// getopt never stands inside of one: it is looked at before getopt is.
  private static func takeNumber(
    _ count: CInt, _ values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
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

  private static func option(_ found: CInt, _ accepted: [Option]) -> Option? {
    if found >= 1000 && Int(found) - 1000 < accepted.count { return accepted[Int(found) - 1000] }
    return accepted.first { $0.letter.map { CInt(bitPattern: $0.value) == found } ?? false }
  }
}
