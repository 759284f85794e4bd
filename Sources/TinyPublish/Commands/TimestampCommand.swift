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

  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @OptionGroup
  var keys: KeyOptions

  @OptionGroup
  var expiry: ExpiryOptions

  @Flag(name: .shortAndLong, help: "Print only warnings and errors.")
  var quiet = false

  func validate() throws { try expiry.check([.timestamp]) }

  func run() throws {
    do throws(PublisherError) {
      var session = try keys.session(repository, expiry)
      _ = try session.renew(.timestamp)
      for file in session.expiring() {
        Terminal.writeLine(
          """
          warning: \(file.name) expires at \(Clock.timestamp(file.expires)); renew it with \
          "tinypublish renew \(repository) \(file.role.name)".
          """, to: .error)
      }
      if !quiet {
        let timestamp = session.served.timestamp
        Terminal.writeLine("timestamp \(timestamp.version) expires at \(Clock.timestamp(timestamp.expires)).")
      }
    } catch { throw fail(error) }
  }
}
