/// Why a command line is not accepted.
struct UsageError: Error, Equatable {
  /// What is wrong, without advice.
  let sentence: String
  /// The command whose help says how to do it; nil if the command line names none.
  let command: Command?

  init(_ sentence: String, command: Command?) {
    self.sentence = sentence
    self.command = command
  }

  /// The sentence and where to find help.
  var advice: String {
    "\(sentence)\(sentence.utf8.last == UInt8(ascii: "?") ? "" : ";") see tinyupdater \(command.map { "\($0.name) " } ?? "")--help"
  }
}
