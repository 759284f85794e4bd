internal import ArgumentParser
internal import JSONCoding
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

  /// A change of the metadata, for people and for programs.
  struct Change<Members> {
    let outcome: ChangeOutcome
    /// A line that is printed first, also if signatures are missing.
    var note: String?
    /// Sentences for standard error.
    var warnings: [String] = []
    /// A sentence that is printed if devices see the change.
    let done: String
    /// The first members of the answer.
    let answer: Members
  }

  /// Changes the metadata and reports the result; exits with 10 if signatures are missing.
  ///
  /// - `command`: its name.
  func change<Members: Encodable>(
    _ command: String, _ answers: AnswerOptions, _ expiry: ExpiryOptions? = nil,
    _ body: (inout MetadataSession) throws(PublisherError) -> Change<Members>
  ) throws {
    var reporter = answers.begin(command)
    let missing: [MissingSignatures]
    do throws(PublisherError) {
      var session = try session(expiry)
      let (seen, waiting) = (session.served.releases, try session.pending.releases() ?? [])
      let change = try body(&session)
      for warning in change.warnings { reporter.warn(warning) }
      // What waited for signatures may have been published by a command about something else.
      let news = waiting.filter { !seen.contains($0) && session.served.releases.contains($0) }
      let served = session.served
      answers.write(
        Joined(change.answer, Answer.Change(change.outcome, news: news, served: served)),
        text: text(change, news: news, served: served))
      switch change.outcome {
      case .published: return reporter.end(.success)
      case .pending(let signatures): missing = signatures
      }
    } catch { throw reporter.fail(error) }
    throw reporter.pending(missing, in: path)
  }

  private func text<Members>(
    _ change: Change<Members>, news: [ServedRelease], served: ServedMetadata
  ) -> String {
    let note = change.note.map { "\($0)\n" } ?? ""
    guard change.outcome == .published else { return note }
    let releases = news.map { "Published: \($0.release.text), for \($0.rollout) % of the devices.\n" }
      .joined()
    return "\(note)\(change.done)\n\(releases)\n\(MetadataView.expiry(served))"
  }
}
