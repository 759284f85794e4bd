/// What usage text, parsing and completions say about a command.
struct CommandDescription {
  /// What the command works on.
  enum Scope: Equatable {
    /// The configured store: the command takes the common options, too.
    case store
    /// Files that are named on the command line.
    case standalone
  }

  let name: String
  let operands: CommandOperands
  let scope: Scope
  /// The options besides the common ones.
  let ownOptions: [CommandOption]
  let summary: String
  /// More about it, for `COMMAND --help`; empty if the summary says everything.
  let details: String

  init(
    _ name: String, operands: CommandOperands, scope: Scope = .store, options: [CommandOption] = [],
    summary: String, details: String = ""
  ) {
    self.name = name
    self.operands = operands
    self.scope = scope
    ownOptions = options
    self.summary = summary
    self.details = details
  }

  /// Every option that the command takes.
  var options: [CommandOption] {
    ownOptions + (scope == .store ? CommandOption.common : []) + [.help]
  }

  /// The command with its operands, such as `install ID…`.
  var usage: String { operands.usage.isEmpty ? name : "\(name) \(operands.usage)" }
}
