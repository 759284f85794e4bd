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

  @Flag(name: .shortAndLong, help: "Print only warnings and errors.")
  var quiet = false

  func validate() throws { try expiry.check([.timestamp]) }

  func run() throws {
    let outcome: ChangeOutcome
    do throws(PublisherError) {
      var session = try repository.session(expiry)
      outcome = try session.renew(.timestamp)
      for file in session.expiring() {
        Output.warn(
          """
          \(file.name) expires at \(Clock.timestamp(file.expires)); renew it with \
          "tinypublish renew \(repository.path) \(file.role.name)".
          """)
      }
      if outcome == .published && !quiet {
        let timestamp = session.served.timestamp
        Output.writeLine("timestamp \(timestamp.version) expires at \(Clock.timestamp(timestamp.expires)).")
      }
    } catch { throw fail(error) }
    if case .pending(let missing) = outcome { throw pending(missing, in: repository.path) }
  }
}
