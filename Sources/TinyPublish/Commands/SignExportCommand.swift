internal import ArgumentParser
internal import Platform
internal import Publisher

/// `tinypublish sign export`.
struct SignExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Copy the files that wait for signatures.")

  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The directory to copy to.", valueName: "dir"),
    completion: .directory)
  var output = "."

  func run() throws {
    do throws(PublisherError) {
      let repository = try Repository(opening: repository)
      for path in try PendingFiles(of: repository).export(to: output, of: repository) {
        Output.writeLine(path)
      }
    } catch { throw fail(error) }
  }
}
