internal import ArgumentParser
internal import Publisher

/// `tinypublish rollout`.
struct RolloutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollout", abstract: "Change the percentage of devices that a release is offered to.")

  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @Argument(help: "The label of the release.")
  var label: String

  @Argument(help: "0 to 100.")
  var percent: UInt64

  @OptionGroup
  var keys: KeyOptions

  func validate() throws {
    guard percent <= 100 else { throw ValidationError("PERCENT is a number from 0 to 100.") }
  }

  func run() throws {
    try change(repository, keys) { (session) throws(PublisherError) in
      (
        try session.setRollout(label, to: percent), "",
        "Release \(label) is now offered to \(percent) % of the devices."
      )
    }
  }
}
