internal import Platform
internal import Updater

/// `status`: shows what is installed and how the last run ended.
struct StatusCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "status", operands: .none, options: [.format], summary: "show the installed release and the last run")
  }

  /// Metrics are written instead of text or JSON.
  private let isForPrometheus: Bool

  init(_ invocation: Invocation) throws(UsageError) {
    try invocation.takeNoOperands()
    let format = invocation.value(of: .format)
    guard format ?? "prometheus" == "prometheus" else {
      throw invocation.error("--format takes \"prometheus\"; --json is an option of its own")
    }
    isForPrometheus = format != nil
    guard !isForPrometheus || !invocation.has(.json) else {
      throw invocation.error("--format and --json exclude each other")
    }
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    // As an update does it: that shows what this system accepts.
    let measures = session.configuration.confine(starting: .none)
    guard !isForPrometheus else {
      let facts = try StatusFacts(session.configuration)
      Terminal.write(PrometheusView(facts).text)
      return facts.status
    }
    let status = try session.writeStatus(confinedBy: measures)
    session.console.emitResult(status)
    return status
  }
}
