internal import ArgumentParser
internal import Platform
internal import Publisher

/// Ends of a command that are not success.
extension ParsableArguments {
  /// Prints the error and returns its exit code.
  func fail(_ error: PublisherError) -> ExitCode {
    Output.warn(error.sentence)
    if error == .stopped { StopSignal.end() }
    return ExitCode(ExitStatus(error).rawValue)
  }

  /// Prints the missing signatures and returns the exit code of a change that waits for signatures.
  func pending(_ missing: [MissingSignatures], in repository: String) -> ExitCode {
    Output.warn(MetadataView.sentence(missing, in: repository))
    return ExitCode(ExitStatus.pending.rawValue)
  }
}
