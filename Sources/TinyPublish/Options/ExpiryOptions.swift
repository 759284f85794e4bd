internal import ArgumentParser
internal import Platform
internal import Publisher
internal import Trust

/// How long signatures are valid.
struct ExpiryOptions: ParsableArguments {
  @Option(
    name: .customLong("expiry"),
    help: ArgumentHelp(
      """
      Validity of a role's signatures, in days; kept for later signatures. (default: unchanged; 365 in a new repository, \
      14 for timestamp)
      """, valueName: "role=days"
    ))
  var periods: [Period] = []

  /// `ROLE=DAYS`.
  struct Period: ExpressibleByArgument {
    let role: Root.TopLevel
    let days: Int64

    init?(argument: String) {
      let parts = argument.parts(separatedBy: "=", limit: 2)
      guard parts.count == 2, let role = Root.TopLevel(name: parts[0]),
        let days = Int64(ascii: parts[1].utf8),
        PublisherLimits.validityDays.contains(days)
      else { return nil }
      self.role = role
      self.days = days
    }
  }

  var validity: Validity {
    var validity = Validity()
    for period in periods { validity[period.role] = period.days }
    return validity
  }

  /// Refuses a role that the command does not sign.
  func check(_ roles: [Root.TopLevel]) throws {
    for period in periods where !roles.contains(period.role) {
      throw ValidationError(
        "--expiry \(period.role.name)=… belongs to \"tinypublish renew REPO \(period.role.name)\".")
    }
  }
}
