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
    show(entries, on: console)
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

  /// A table, or a paragraph for each run where that is too wide for the terminal.
  private func show(_ entries: [HistoryEntry], on console: Console) {
    if entries.isEmpty { return console.say("no runs yet") }
    let rows = entries.map { cells($0) }
    var table = Table(columns)
    for row in rows { table.add(row) }
    let text = table.text
    let width = text.parts(separatedBy: "\n").map { $0.columns }.max() ?? 0
    if let columns = TextStyle().columns, columns <= width {
      for row in rows { console.say(paragraph(row), indent: 2) }
    } else {
      console.say(String(decoding: Array(text.utf8.dropLast()), as: UTF8.self))
    }
  }

  private var columns: [(title: String, alignment: Table.Alignment)] {
    [
      ("time", .left), ("command", .left), ("result", .left), ("release", .right), ("download/plan", .right),
      ("index/plan", .right), ("disk/plan", .right), ("took", .right), ("remarks", .left),
    ]
  }

  /// What the columns say of a run; planned figures follow a slash.
  private func cells(_ entry: HistoryEntry) -> [String] {
    let release = entry.to == 0 ? "-" : entry.from == 0 ? "\(entry.to)" : "\(entry.from) to \(entry.to)"
    let remark =
      entry.failedAttempts == 0 ? entry.text : "\(entry.failedAttempts) failures, the last: \(entry.text)"
    return [
      Clock.timestamp(entry.time), entry.command, entry.words, release,
      pair(entry.happened.download, entry.planned.download),
      pair(entry.happened.index, entry.planned.index),
      pair(entry.happened.peakDisk, entry.planned.peakDisk), "\(entry.milliseconds) ms", remark,
    ]
  }

  private func pair(_ happened: UInt64, _ planned: UInt64) -> String {
    happened == 0 && planned == 0 ? "-" : "\(ByteCount(happened).text)/\(ByteCount(planned).text)"
  }

  /// The same in a sentence, without what there is nothing to say of; time, command and result need no titles.
  private func paragraph(_ cells: [String]) -> String {
    var text = "\(cells[0]) \(cells[1]) \(cells[2])"
    for index in 3..<cells.count where !cells[index].isEmpty && !cells[index].utf8.elementsEqual("-".utf8) {
      text += ", \(columns[index].title) \(cells[index])"
    }
    return text
  }
}
