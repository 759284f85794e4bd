/// Why a command line cannot be split into options and operands.
package struct ArgumentError: Error, Equatable {
  /// What is wrong with the argument.
  package enum Flaw: Equatable {
    case unknownOption(String)
    case missingValue(String)
    case outOfMemory
  }

  package let flaw: Flaw
  /// The operands before the argument.
  package let operands: [String]

  init(_ flaw: Flaw, operands: [String]) {
    self.flaw = flaw
    self.operands = operands
  }

  package var sentence: String {
    switch flaw {
    case .unknownOption(let text): "\(text) is not an option"
    case .missingValue(let text): "\(text) needs a value"
    case .outOfMemory: "out of memory"
    }
  }
}
