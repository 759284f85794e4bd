internal import ArgumentParser
internal import Publisher
internal import Trust

/// `tinypublish renew`.
struct RenewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "renew", abstract: "Sign a role's metadata again, with a new version and expiry.",
    discussion: "Files that depend on it are signed again, too: snapshot and timestamp after targets.")

  @OptionGroup
  var repository: RepositoryOptions

  @Argument(help: "root, targets or snapshot.")
  var role: Root.TopLevel

  @OptionGroup
  var expiry: ExpiryOptions

  @OptionGroup
  var answers: AnswerOptions

  func validate() throws {
    switch role {
    case .timestamp: throw ValidationError("\"tinypublish timestamp REPO\" renews the timestamp.")
    case .root: try expiry.check([.root, .timestamp])
    case .targets: try expiry.check([.targets, .snapshot, .timestamp])
    case .snapshot: try expiry.check([.snapshot, .timestamp])
    }
  }

  func run() throws {
    try repository.change("renew", answers, expiry) { (session) throws(PublisherError) in
      let outcome = try session.renew(role)
      return RepositoryOptions.Change(
        outcome: outcome, done: "\(role.name) is now at version \(session.served[role].version).",
        answer: Answer.Renewal(role: role.name))
    }
  }
}
