package import Platform

/// Why a configuration is not usable.
package indirect enum ConfigurationError: Error, Equatable {
  case file(Failure)
  case line(path: String, line: Int, ConfigurationFlaw)
  /// What a command-line option says.
  case option(String, ConfigurationFlaw)
  /// The kernel refused the memory budget.
  case budget(Errno)

  package var sentence: String {
    switch self {
    case .file(let error): "the configuration \(error.cause)"
    case .line(let path, let line, let flaw): "\(path), line \(line): \(flaw.sentence)"
    case .option(let name, let flaw): "\(name): \(flaw.sentence)"
    case .budget(let errno): "the memory budget cannot be set: \(errno.sentence)"
    }
  }
}
