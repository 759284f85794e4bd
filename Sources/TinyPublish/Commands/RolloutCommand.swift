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

  @OptionGroup
  var answers: AnswerOptions

  func validate() throws {
    guard percent <= 100 else { throw ValidationError("PERCENT is a number from 0 to 100.") }
  }

  func run() throws {
    try repository.change("rollout", answers) { (session) throws(PublisherError) in
      RepositoryOptions.Change(
        outcome: try session.setRollout(label, to: percent),
        done: "Release \(label) is now offered to \(percent) % of the devices.",
        answer: Answer.Rollout(label: label, rollout: percent))
    }
  }
}
