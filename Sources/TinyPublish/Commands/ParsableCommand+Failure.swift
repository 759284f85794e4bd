internal import ArgumentParser
internal import Platform
internal import Publisher

extension ParsableCommand {
  /// Prints the error and returns its exit code.
  func fail(_ error: PublisherError) -> ExitCode {
    Terminal.writeLine("tinypublish: \(error.sentence.printable())", to: .error)
    return ExitCode(ExitStatus(error).rawValue)
  }
}
