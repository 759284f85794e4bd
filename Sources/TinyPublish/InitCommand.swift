internal import ArgumentParser
internal import Platform
internal import Publisher

/// `tinypublish init`.
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make an empty repository.",
    discussion: "A directory that is a repository already stays as it is; any other must be new or empty.")

  @Argument(help: ArgumentHelp("The directory to make.", valueName: "repo"), completion: .directory)
  var repository: String

  @OptionGroup
  var keys: KeyOptions

  func run() throws {
    do throws(PublisherError) {
      switch try Repository.initialize(repository, keys.store(for: repository), Founding(now: Clock.now)) {
      case .made: Terminal.writeLine("\(repository) is now a repository without releases.")
      case .alreadyThere: Terminal.writeLine("\(repository) is already a repository.")
      }
    } catch { throw fail(error) }
  }
}
