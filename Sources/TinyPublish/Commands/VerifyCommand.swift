internal import ArgumentParser
internal import Platform
internal import Publisher
internal import Releases
internal import Trust

/// `tinypublish verify`.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Verify a repository as a client would, then every file it lists.",
    discussion: """
      A URL (https://… or http://…) is verified as devices meet it there, and needs --root.
      """
  )

  @Argument(
    help: ArgumentHelp("The repository, or the URL of a server that has it.", valueName: "repo"),
    completion: .directory)
  var repository: String

  @Option(
    help: ArgumentHelp(
      "The root that devices trust initially; needed for a URL. (default: the first one)", valueName: "file"),
    completion: .file())
  var root: String?

  @Flag(help: "Read every component and payload completely and compare the digests.")
  var deep = false

  @OptionGroup
  var server: ServerOptions

  @OptionGroup
  var answers: AnswerOptions

  func validate() throws {
    if server.isGiven && !Verification.isURL(repository) {
      throw ValidationError("Certificates are for a URL, and \(repository) is not one.")
    }
  }

  func run() throws {
    var reporter = answers.begin("verify")
    let verification: Verification
    do throws(PublisherError) {
      var options = Verification.Options(now: Clock.now)
      options.root = root
      options.depth = deep ? .contents : .sizes
      if Verification.isURL(repository) {
        StopSignal.listen()
        options.access = server.access
        verification = try Verification(
          server: repository, options: options, shouldStop: { StopSignal.isRaised },
          observe: { reporter.show(.verifying($0)) })
      } else {
        verification = try Verification(of: try Repository(opening: repository), options: options) {
          reporter.show(.verifying($0))
        }
      }
    } catch { throw reporter.fail(error) }
    reporter.clear()
    answers.write(Answer.Verify(verification), text: text(verification))
    for warning in verification.warnings { reporter.warn(warning) }
    for problem in verification.problems { reporter.show(.problem(problem)) }
    let count = verification.problems.count
    if count > 0 { throw reporter.fail(.rejected, "\(count) problem\(count == 1 ? "" : "s") found.") }
    reporter.end(.success)
  }

  private func text(_ verification: Verification) -> String {
    var table = Table([
      ("release", .right), ("label", .left), ("rollout", .right), ("components", .right),
      ("payloads", .right),
      ("problems", .right),
    ])
    for row in verification.releases {
      table.add([
        "\(row.release.number)", row.release.label, MetadataView.share(of: row.release), "\(row.components)",
        "\(row.payloads)", "\(row.problems)",
      ])
    }
    return MetadataView.expiry(verification.files) + "\n" + table.text
  }
}
