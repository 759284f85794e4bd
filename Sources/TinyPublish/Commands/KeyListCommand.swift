internal import ArgumentParser
internal import Publisher

/// `tinypublish key list`.
struct KeyListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the keys of each role, and which of them are here.")

  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @OptionGroup
  var keys: KeyOptions

  @Flag(help: "Print it as JSON.")
  var json = false

  func run() throws {
    do throws(PublisherError) {
      let list = try KeyList(of: try Repository(opening: repository), in: keys.store(for: repository))
      if json { Answer.write(list.answer) } else { Output.write(list.text) }
    } catch { throw fail(error) }
  }
}
