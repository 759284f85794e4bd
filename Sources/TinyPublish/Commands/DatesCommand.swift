internal import ArgumentParser
internal import Publisher

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

  func validate() throws {
    guard effective != nil || expires != nil else {
      throw ValidationError("Give --effective TIME, --expires TIME or both.")
    }
    if case .time(let effective) = effective, case .time(let expires) = expires,
      expires.seconds <= effective.seconds
    {
      throw ValidationError("--expires has to be later than --effective.")
    }
  }

  func run() throws {
    try repository.change { (session) throws(PublisherError) in
      let outcome = try session.setDates(
        of: label, effective: effective.map(\.seconds), expires: expires.map(\.seconds))
      return (outcome, nil, "The dates of release \(label) are changed.")
    }
  }
}

/// A time, or a word for none.
enum DateArgument: ExpressibleByArgument {
  case none
  case time(TimeArgument)

  /// Since 1970; nil for none.
  var seconds: Int64? {
    if case .time(let time) = self { time.seconds } else { nil }
  }

  init?(argument: String) {
    if argument == "now" || argument == "never" {
      self = .none
    } else if let time = TimeArgument(argument: argument) {
      self = .time(time)
    } else {
      return nil
    }
  }
}
