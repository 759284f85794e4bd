import Glibc
import Platform

@testable import TinyUpdater

/// The words of a command line.
struct Words {
  let words: [String]

  init(_ words: [String]) { self.words = words }

  /// Splits them and finds their command.
  func invocation() throws -> Invocation {
    var values = (["tinyupdater"] + words).map { strdup($0) }
    defer { for value in values { free(value) } }
    values.append(nil)
    let line = try values.withUnsafeMutableBufferPointer { (values) throws(ArgumentError) in
      guard let first = values.baseAddress else { fatalError("there is an argument") }
      return try Arguments(
        count: CInt(words.count + 1), values: first, accepting: CommandOption.allCases.map { $0.argument })
    }
    return try Invocation(line)
  }
}
