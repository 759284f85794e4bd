internal import ArgumentParser
internal import MapModel
internal import Platform
internal import Publisher
internal import Releases

/// A repository and the keys that sign a change of it.
struct RepositoryOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var path: String

  @OptionGroup
  var signing: SigningOptions

  /// Locks the repository; see `MetadataSession`.
  func session(_ expiry: ExpiryOptions? = nil) throws(PublisherError) -> MetadataSession {
    try MetadataSession.begin(
      of: try Repository(opening: path), keys: signing.store(for: path),
      validity: expiry?.validity ?? Validity(), now: Clock.now)
  }

  /// Changes the metadata and reports the result; exits with 10 if signatures are missing.
  ///
  /// `body` returns the outcome, a line to print first, and a sentence to print if devices see the change.
  func change(
    _ expiry: ExpiryOptions? = nil,
    _ body: (inout MetadataSession) throws(PublisherError) -> (ChangeOutcome, note: String?, done: String)
  ) throws {
    let missing: [MissingSignatures]
    do throws(PublisherError) {
      var session = try session(expiry)
      let (seen, waiting) = (session.served.releases, try session.pending.releases() ?? [])
      let (outcome, note, done) = try body(&session)
      if let note { Output.writeLine(note) }
      switch outcome {
      case .published:
        // What waited for signatures may have been published by a command about something else.
        let unseen = waiting.filter { !seen.contains($0) && session.served.releases.contains($0) }
        let news = unseen.map { "Published: \($0.release.text), for \($0.rollout) % of the devices.\n" }
          .joined()
        return Output.write("\(done)\n\(news)\n\(MetadataView.expiry(session.served))")
      case .pending(let signatures): missing = signatures
      }
    } catch { throw fail(error) }
    throw pending(missing, in: path)
  }
}
