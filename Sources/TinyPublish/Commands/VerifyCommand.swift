internal import ArgumentParser
internal import FoundationEssentials
internal import Platform
internal import Publisher
internal import Releases
internal import Trust

/// `tinypublish verify`.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Look at a repository as a device does, and at every file that it names."
  )

  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @Option(
    help: ArgumentHelp("The root that devices begin with. (default: the first one)", valueName: "file"),
    completion: .file())
  var root: String?

  @Flag(help: "Read every component and payload to its end and compare the digests.")
  var deep = false

  func run() throws {
    let verification: Verification
    do throws(PublisherError) {
      var options = Verification.Options(now: Clock.now)
      options.root = root
      options.isDeep = deep
      if let folder = ProcessInfo.processInfo.environment["TMPDIR"] { options.temporary = folder }
      verification = try Verification(of: try Repository(opening: repository), options)
    } catch { throw fail(error) }
    show(verification)
    for problem in verification.problems {
      Terminal.writeLine("tinypublish: \(problem.printable())", to: .error)
    }
    if !verification.problems.isEmpty { throw ExitCode(ExitStatus.rejected.rawValue) }
  }

  private func show(_ verification: Verification) {
    var table = Table([
      ("release", .right), ("label", .left), ("for", .right), ("components", .right), ("payloads", .right),
      ("problems", .right),
    ])
    for row in verification.releases {
      table.add([
        "\(row.release.number)", row.release.label, "\(row.release.rollout) %", "\(row.components)",
        "\(row.payloads)", "\(row.problems)",
      ])
    }
    Output.write(MetadataView.expiry(verification.files) + "\n" + table.text)
  }
}
