internal import Platform

/// How an operation ended.
package struct OperationResult: Equatable {
  package let exitCode: CInt
  /// How it ended, for the user.
  package let sentence: String

  package init(exitCode: CInt, sentence: String) {
    self.exitCode = exitCode
    self.sentence = sentence
  }
}

/// The file of a result in the queue (`docs/format/store.md`, Queue).
extension OperationResult {
  var text: String { "\(exitCode) \(sentence)\n" }

  init?(_ text: String) {
    let words = text.parts(separatedBy: "\n", limit: 2)[0].parts(separatedBy: " ", limit: 2)
    guard words.count == 2, let code = CInt(ascii: words[0].utf8) else { return nil }
    self.init(exitCode: code, sentence: words[1])
  }
}
