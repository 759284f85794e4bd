internal import Platform
internal import Store
internal import Updater

/// `history`: shows each run: what was planned and what happened.
struct HistoryCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "history", operands: .count, summary: "show the last N runs, or all: what was planned and what happened"
    )
  }

  /// Nil for all runs.
  private let count: Int?

  init(_ invocation: Invocation) throws(UsageError) {
    guard let text = invocation.operands.first else {
      count = nil
      return
    }
    guard invocation.operands.count == 1, let count = Int(ascii: text.utf8), count > 0 else {
      throw invocation.error("history takes one operand, the number of runs to show")
    }
    self.count = count
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let console = session.console
    let entries = try entries(session.configuration.root)
    for entry in entries {
      console.emit("history") { json in entry.write(to: &json) }
    }
    console.say(entries.isEmpty ? "no runs yet" : table(entries))
    console.emitResult(.success)
    return .success
  }

  /// The last entries, the newest last; the file and the entries in memory are bounded.
  private func entries(_ root: String) throws(Failure) -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    do throws(Failure) {
      try History(opening: root).forEachEntry { entries.append($0) }
    } catch {
      guard case .noStore = error else { throw error }
    }
    return count.map { Array(entries.suffix($0)) } ?? entries
  }

  /// The entries as a table; planned figures follow a slash.
  private func table(_ entries: [HistoryEntry]) -> String {
    var table = Table([
      ("time", .left), ("command", .left), ("result", .left), ("release", .right), ("download/plan", .right),
      ("index/plan", .right), ("disk/plan", .right), ("took", .right), ("remarks", .left),
    ])
    for entry in entries {
      let release = entry.to == 0 ? "-" : entry.from == 0 ? "\(entry.to)" : "\(entry.from) to \(entry.to)"
      let remark =
        entry.failedAttempts == 0 ? entry.text : "\(entry.failedAttempts) failures, the last: \(entry.text)"
      table.add([
        Clock.timestamp(entry.time), entry.command, entry.words, release,
        pair(entry.happened.download, entry.planned.download),
        pair(entry.happened.index, entry.planned.index),
        pair(entry.happened.peakDisk, entry.planned.peakDisk), "\(entry.milliseconds) ms", remark,
      ])
    }
    return String(decoding: Array(table.text.utf8.dropLast()), as: UTF8.self)
  }

  private func pair(_ happened: UInt64, _ planned: UInt64) -> String {
    happened == 0 && planned == 0 ? "-" : "\(ByteCount(happened).text)/\(ByteCount(planned).text)"
  }
}
