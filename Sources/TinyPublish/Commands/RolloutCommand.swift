internal import ArgumentParser
internal import Publisher

/// `tinypublish rollout`.
struct RolloutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollout", abstract: "Change the percentage of devices that a release is offered to.")

  @OptionGroup
  var repository: RepositoryOptions

  @Argument(help: "The label of the release.")
  var label: String

  @Argument(help: "0 to 100.")
  var percent: UInt64

  func validate() throws {
    guard percent <= 100 else { throw ValidationError("PERCENT is a number from 0 to 100.") }
  }

  func run() throws {
    try repository.change { (session) throws(PublisherError) in
      (
        try session.setRollout(label, to: percent), nil,
        "Release \(label) is now offered to \(percent) % of the devices."
      )
    }
  }
}
