package import Platform

/// Reports for the server of the fleet that it has not got yet, in the order in which they were made.
///
///     reports/waiting/NUMBER    one report, sealed (`docs/format/store.md`, Reports)
///
/// There are few: of more, the oldest goes. `reports` carries the lock of the process that sends, `waiting` the one for the
/// instant in which a report is added (flock(2)).
package struct ReportQueue: ~Copyable {
  private let reports: Directory
  private let waiting: Directory

  private static var format: String { "tinyupdater-report 1" }

  /// Opens it in the store at `root`, and makes it where it is missing.
  package init(making root: String) throws(Failure) {
    let store = try Directory(opening: root)
    try store.makeDirectory(replacing: "reports")
    let reports = try store.openDirectory("reports")
    try reports.makeDirectory(replacing: "waiting")
    waiting = try reports.openDirectory("waiting")
    self.reports = reports
  }

  /// Adds a report of one line, durably.
  package func add(_ report: String) throws(Failure) {
    let locked = try reports.openDirectory("waiting")
    try locked.lock(.exclusive, within: 1000, every: 10)
    try removeStrays()
    let numbers = try numbers()
    for number in numbers.dropLast(StoreLimits.reports - 1) { try remove(number) }
    let text = try SealedText.seal("\(ReportQueue.format)\n\(report)\n")
    try locked.replace("\((numbers.last ?? 0) + 1)", with: text)
  }

  /// Takes the lock for sending, for as long as this value lives; false if another process has it.
  package func beginSending() throws(Failure) -> Bool {
    do throws(Failure) { try reports.lock(.exclusive) } catch {
      guard error.errno == .wouldBlock else { throw error }
      return false
    }
    return true
  }

  /// The numbers of those that wait, the oldest first.
  package func numbers() throws(Failure) -> [UInt64] {
    var numbers: [UInt64] = []
    try waiting.forEachName { name in
      if let number = ReportQueue.number(of: name), numbers.count < StoreLimits.queueNames {
        numbers.append(number)
      }
    }
    numbers.sort()
    return numbers
  }

  /// Removes what no report has as its name, such as what a power cut left of one.
  private func removeStrays() throws(Failure) {
    try waiting.removeTrees { ReportQueue.number(of: $0) == nil }
  }

  private static func number(of name: String) -> UInt64? {
    guard let number = UInt64(ascii: name.utf8), number < 1 << 60, "\(number)" == name else { return nil }
    return number
  }

  /// One of them; nil if it is damaged.
  package func report(_ number: UInt64) throws(Failure) -> String? {
    let name = "\(number)"
    guard let status = try waiting.status(of: name), status.kind == .file,
      status.size <= StoreLimits.reportFile
    else { return nil }
    let bytes = try waiting.open(name).bytes(upTo: StoreLimits.reportFile)
    let lines = String(decoding: bytes, as: UTF8.self).parts(separatedBy: "\n", limit: 3)
    guard lines.count == 3, lines[0] == ReportQueue.format,
      try SealedText.seal("\(lines[0])\n\(lines[1])\n") == bytes
    else { return nil }
    return lines[1]
  }

  /// Removes a report that was delivered, or that nobody will take; power loss may bring it back.
  package func remove(_ number: UInt64) throws(Failure) { try waiting.removeTree("\(number)") }
}
