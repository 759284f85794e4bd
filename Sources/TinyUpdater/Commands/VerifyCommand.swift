internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// `verify`: reads every installed component and compares its digest.
struct VerifyCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "verify", operands: .none, options: [.limit],
      summary: "read every installed map and compare its digest",
      details: """
        Gives way to other programs: it reads when the disk is idle. A verification that was stopped, or that has
        reached --limit, is resumed by the next run. What is damaged is noted: "repair", "apply" and "install"
        download it again.
        """)
  }

  private let limit: UInt64

  init(_ invocation: Invocation) throws(UsageError) {
    try invocation.takeNoOperands()
    guard let text = invocation.value(of: .limit) else {
      limit = .max
      return
    }
    guard let count = ByteCount(text), count.bytes > 0 else {
      throw invocation.error("--limit takes a number of bytes, such as 500M")
    }
    limit = count.bytes
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let console = session.console
    ThisProcess.giveWay()
    let updater = try Reporter(console).makeUpdater(session.configuration)
    let report = try updater.verify(upTo: limit) { component, part in
      console.emit("verified") { json in
        json.add("id", component.name.id)
        json.add("group", component.name.dataGroup)
        json.add("path", component.name.path)
        json.add("intact", part == nil)
      }
    }
    guard let report else {
      console.say("nothing is installed")
      console.emitResult(.success)
      return .success
    }
    let verified = report.before + report.checked
    if report.damaged > 0 {
      let damaged = report.damaged == 1 ? "1 is damaged" : "\(report.damaged) are damaged"
      console.say("\(verified) of \(report.total) components were read; \(damaged)")
      throw .damaged(components: report.damaged)
    }
    let sentence =
      !report.isComplete
      ? "\(verified) of \(report.total) components are verified"
      : report.total == 1 ? "the only component is intact" : "all \(report.total) components are intact"
    Log.add(.info, text: sentence, standardError: .written)
    console.say(sentence)
    console.emitResult(.success) { json in
      json.add("components", report.total)
      json.add("verified", verified)
    }
    return .success
  }
}
