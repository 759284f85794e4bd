/// Why a file that a user named is not read or written.
package indirect enum OperandError: Error, Equatable {
  /// The input is not a file that can be read as often and in the order that this takes.
  case unreadable(path: String, FileKind)
  /// The output exists, and is not a file that another one could replace.
  case irreplaceable(path: String, FileKind)
  /// The output is a symbolic link to nothing.
  case danglingLink(path: String)
  /// The output is also an input, or the output of something else.
  case sameFile(path: String, as: String)
  /// The output is `-`, and standard output is a terminal.
  case terminal
  /// The output is `-`, but has to be a file.
  case standardOutput
  case file(Failure)

  /// What happened, to which file, and what to do next.
  package var sentence: String {
    switch self {
    case .unreadable(let path, let kind):
      "\(path) is \(kind.name), not a file. Write its content to a file, and name that."
    case .irreplaceable(let path, .directory): "\(path) is a directory. Name a file."
    case .irreplaceable(let path, let kind):
      "\(path) is \(kind.name), which a file would replace; it was left as it is. Write to a file, and copy that there."
    case .danglingLink(let path):
      "\(path) is a symbolic link to nothing. Remove it, or name another file."
    case .sameFile(let path, let other):
      "\(path) is the same file as \(other), which would be lost. Name another file for the output."
    case .terminal: "The output is binary, and standard output is a terminal. Redirect it, or name a file."
    case .standardOutput: "\"-\" is not a file name here. Name a file; ./- is one of that name."
    case .file(let error): "\(error.cause). Fix the cause and repeat the command."
    }
  }

  /// The command line is wrong, not a file.
  package var isOfUsage: Bool {
    switch self {
    case .sameFile, .terminal, .standardOutput: true
    case .unreadable, .irreplaceable, .danglingLink, .file: false
    }
  }
}
