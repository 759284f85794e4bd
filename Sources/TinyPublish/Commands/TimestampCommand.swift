internal import ArgumentParser
internal import Platform
internal import Publisher
internal import Trust

/// `tinypublish timestamp`.
struct TimestampCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timestamp",
    abstract: "Sign the timestamp again, so that devices know that the repository is maintained.",
    discussion: """
      Needs only the timestamp key. Run it daily; it warns on standard error about other metadata that expires within \
      30 days.
      """)

  @OptionGroup
  var repository: RepositoryOptions

  @OptionGroup
  var expiry: ExpiryOptions

  @OptionGroup
  var answers: AnswerOptions

  func validate() throws { try expiry.check([.timestamp]) }

  func run() throws {
    try repository.change("timestamp", answers, expiry) { (session) throws(PublisherError) in
      let outcome = try session.renew(.timestamp)
      let (timestamp, expiring) = (session.served.timestamp, session.expiring())
      return RepositoryOptions.Change(
        outcome: outcome, warnings: expiring.map(warning),
        done: "timestamp \(timestamp.version) expires at \(Clock.timestamp(timestamp.expires)).",
        answer: Answer.Timestamp(expiring: expiring.map(Answer.Metadata.init)))
    }
  }

  private func warning(_ file: SignedFile) -> String {
    """
    \(file.name) expires at \(Clock.timestamp(file.expires)); renew it with \
    "tinypublish renew \(repository.path) \(file.role.name)".
    """
  }
}
