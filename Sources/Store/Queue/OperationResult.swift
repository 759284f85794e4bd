internal import Platform

/// How an operation ended.
package struct OperationResult: Equatable {
  package let exitCode: CInt
  /// How it ended, for the user.
  package let sentence: String
  /// It was to be cancelled, in part or as a whole, when it ended: it was, or the request came too late.
  ///
  /// Without this a request was met before, by narrowing the operation.
  package internal(set) var hasOpenCancellation = false

  package init(exitCode: CInt, sentence: String) {
    self.exitCode = exitCode
    self.sentence = sentence
  }
}

/// The file of a result in the queue (`docs/format/store.md`, Queue).
extension OperationResult {
  var text: String {
    "\(exitCode) \(sentence)\n" + (hasOpenCancellation ? OperationResult.openCancellation + "\n" : "")
  }

  init?(_ text: String) {
    let lines = text.parts(separatedBy: "\n", limit: 3)
    let words = lines[0].parts(separatedBy: " ", limit: 2)
    guard words.count == 2, let code = CInt(ascii: words[0].utf8) else { return nil }
    self.init(exitCode: code, sentence: words[1])
    hasOpenCancellation = lines.count > 1 && lines[1] == OperationResult.openCancellation
  }

  private static var openCancellation: String { "to be cancelled" }
}
