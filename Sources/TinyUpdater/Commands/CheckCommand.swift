internal import MapModel
internal import Platform
internal import Updater

/// `check`: asks the repository for its newest release.
struct CheckCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "check", operands: .none, options: [.from, .spread],
      summary: "check the repository for a newer release; exit 10 if there is one")
  }

  init(_ invocation: Invocation) throws(UsageError) { try invocation.takeNoOperands() }

  func run(_ session: Session) throws(Failure) -> ExitStatus { try CheckCommand.check(session) }

  /// Also what `boot` does in the background.
  static func check(_ session: Session) throws(Failure) -> ExitStatus {
    let console = session.console
    let updater = try Reporter(console).makeUpdater(session.configuration)
    let result = try updater.check()
    for sentence in result.sentences { console.say(sentence) }
    let status = result.status
    let downloaded = updater.downloaded
    console.emitResult(status) { json in
      json.add("downloaded", downloaded)
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
    }
    return status
  }
}

extension CheckResult {
  fileprivate var status: ExitStatus {
    if isUpdateAvailable { return .updateAvailable }
    return announced == nil ? .success : .applicationTooOld
  }

  fileprivate var sentences: [String] {
    var sentences: [String] = []
    switch (installed, newest) {
    case (.some(let installed), _) where recall != nil:
      let way =
        recall?.wayOut.map { "\"tinyupdater apply\" goes to \($0.text)" } ?? "there is no other release"
      sentences.append("\(installed.text) is recalled by its publisher (\(recall?.reason ?? "")); \(way)")
    case (.some(let installed), .some(let newest)) where isUpdateAvailable:
      sentences.append("update available: from \(installed.text) to \(newest.text)")
    case (.some(let installed), _) where blocked != nil:
      sentences.append("\(installed.text) stays: \(blocked?.sentence ?? "")")
    case (.some(let installed), _):
      sentences.append(
        "\(installed.text) is the newest" + (announced == nil ? "" : " that this device can use"))
    case (.none, .some(let newest)): sentences.append("nothing is installed; the newest is \(newest.text)")
    case (.none, .none): sentences.append("nothing is installed")
    }
    for departure in departures { sentences.append(departure.sentence) }
    if let upcoming {
      sentences.append("\(upcoming.release.text) is in effect from \(Clock.timestamp(upcoming.effective))")
    }
    if let announced { sentences.append(announced.sentence) }
    return sentences
  }
}
