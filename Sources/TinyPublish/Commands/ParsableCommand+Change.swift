internal import ArgumentParser
internal import Platform
internal import Publisher
internal import Trust

extension ParsableCommand {
  /// Changes the metadata of a repository and reports the result; exits with 10 if signatures are missing.
  ///
  /// `body` returns the outcome, a note to print first, and a sentence to print if devices see the change.
  func change(
    _ repository: String, _ keys: KeyOptions, _ expiry: ExpiryOptions? = nil,
    _ body: (inout MetadataSession) throws(PublisherError) -> (ChangeOutcome, note: String, done: String)
  ) throws {
    let missing: [MissingSignatures]
    do throws(PublisherError) {
      var session = try keys.session(repository, expiry)
      let (outcome, note, done) = try body(&session)
      Terminal.write(note)
      switch outcome {
      case .published: return Terminal.write("\(done)\n\n\(MetadataView.expiry(session.served))")
      case .pending(let signatures): missing = signatures
      }
    } catch { throw fail(error) }
    throw pending(missing, repository)
  }

  func pending(_ missing: [MissingSignatures], _ repository: String) -> ExitCode {
    Terminal.writeLine("tinypublish: \(MetadataView.sentence(missing, repository))", to: .error)
    return ExitCode(ExitStatus.pending.rawValue)
  }
}
