package import Platform

/// Reports for the server of the fleet that it has not got yet, in the order in which they were made.
///
///     reports/waiting/NUMBER    one report, sealed (`docs/format/store.md`, Reports)
///
/// There are few: of more, the oldest goes. The directory carries a lock (flock(2)), so that one process at a time sends.
package struct ReportQueue: ~Copyable {
  private let directory: Directory

  private static var format: String { "tinyupdater-report 1" }

  /// Opens it in the store at `root`, and makes it where it is missing; nil if another process has it.
  package init?(making root: String) throws(Failure) {
    let store = try Directory(opening: root)
    try store.makeDirectory(replacing: "reports")
    let reports = try store.openDirectory("reports")
    try reports.makeDirectory(replacing: "waiting")
    let directory = try reports.openDirectory("waiting")
    do throws(Failure) { try directory.lock(.exclusive) } catch {
      guard error.errno == .wouldBlock else { throw error }
      return nil
    }
    self.directory = directory
  }

  /// Adds a report of one line, durably.
  package func add(_ report: String) throws(Failure) {
    let numbers = try numbers()
    for number in numbers.dropLast(StoreLimits.reports - 1) { try remove(number) }
    let text = try SealedText.seal("\(ReportQueue.format)\n\(report)\n")
    try directory.replace("\((numbers.last ?? 0) + 1)", with: text)
  }

  /// The numbers of those that wait, the oldest first; what else is there is removed.
  package func numbers() throws(Failure) -> [UInt64] {
    var numbers: [UInt64] = []
    var strays: [String] = []
    try directory.forEachName { name in
      if let number = UInt64(ascii: name.utf8), number < 1 << 60, "\(number)" == name,
        numbers.count < StoreLimits.queueNames
      {
        numbers.append(number)
      } else if strays.count < StoreLimits.queueNames {
        strays.append(name)
      }
    }
    for name in strays { try directory.removeTree(name) }
    numbers.sort()
    return numbers
  }

  /// One of them; nil if it is damaged.
  package func report(_ number: UInt64) throws(Failure) -> String? {
    let name = "\(number)"
    guard let status = try directory.status(of: name), status.kind == .file,
      status.size <= StoreLimits.reportFile
    else { return nil }
    let bytes = try directory.open(name).bytes(upTo: StoreLimits.reportFile)
    let lines = String(decoding: bytes, as: UTF8.self).parts(separatedBy: "\n", limit: 3)
    guard lines.count == 3, lines[0] == ReportQueue.format,
      try SealedText.seal("\(lines[0])\n\(lines[1])\n") == bytes
    else { return nil }
    return lines[1]
  }

  /// Removes a report that was delivered, or that nobody will take; power loss may bring it back.
  package func remove(_ number: UInt64) throws(Failure) { try directory.removeTree("\(number)") }
}
