internal import ArgumentParser
internal import Platform
internal import Publisher
internal import Releases

/// `tinypublish dates`.
struct DatesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dates", abstract: "Change from when on and until when a release is to be used.")

  @OptionGroup
  var repository: RepositoryOptions

  @Argument(help: "The label of the release.")
  var label: String

  @Option(
    help: ArgumentHelp(
      "From when on devices may use the maps, such as 2026-12-24T09:01:00Z, or \"now\".", valueName: "time"))
  var effective: DateArgument?

  @Option(
    help: ArgumentHelp("From when on the maps are not to be used any more, or \"never\".", valueName: "time"))
  var expires: DateArgument?

  @OptionGroup
  var answers: AnswerOptions

  func validate() throws {
    guard effective != nil || expires != nil else {
      throw ValidationError("Give --effective TIME, --expires TIME or both.")
    }
    if case .never = effective { throw ValidationError("--effective takes a time or \"now\".") }
    if case .now = expires { throw ValidationError("--expires takes a time or \"never\".") }
  }

  func run() throws {
    try repository.change("dates", answers) { (session) throws(PublisherError) in
      let outcome = try session.setDates(
        of: label, effective: effective.map(\.seconds), expires: expires.map(\.seconds))
      let release = try session.releases().first { $0.label == label }
      return RepositoryOptions.Change(
        outcome: outcome, done: "The dates of release \(label) are changed.",
        answer: Answer.Dates(
          label: label, effective: release?.effective.map { Clock.timestamp($0) },
          expires: release?.expires.map { Clock.timestamp($0) }))
    }
  }
}

/// A time, or a word in its place.
enum DateArgument: ExpressibleByArgument {
  case now
  case never
  case time(TimeArgument)

  /// Since 1970; nil for the words, which need none.
  var seconds: Int64? {
    if case .time(let time) = self { time.seconds } else { nil }
  }

  init?(argument: String) {
    switch argument {
    case "now": self = .now
    case "never": self = .never
    default:
      guard let time = TimeArgument(argument: argument) else { return nil }
      self = .time(time)
    }
  }
}
