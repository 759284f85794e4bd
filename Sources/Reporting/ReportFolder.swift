internal import JSONCoding
internal import Platform

/// The directory of a report.
///
/// All files are written beside the old ones, and get their names when the last of them is complete: until then the old
/// report is what it was. It is locked meanwhile.
package struct ReportFolder: ~Copyable {
  private let directory: Directory
  /// The marker: it is locked, since locks on directories do not reach the server of a network file system.
  private let lock: FileLock
  private var files: [String] = []
  private var isPublished = false
  /// The directory was empty before.
  private let isNew: Bool

  /// What makes a directory a report, so that another one is never overwritten.
  private static let marker = ".tinypublish-report"
  private static let unfinished = ".new"
  /// The report for programs.
  private static let value = "report.json"

  /// Makes the directory; one that exists has to be empty, or a report.
  package init(_ path: String) throws(ReportError) {
    let directory = try onFile { () throws(Failure) in try Directory(making: path) }
    var isEmpty = true
    let marked = try onFile { () throws(Failure) in
      try directory.forEachName { (_) throws(Failure) in isEmpty = false }
      return try directory.status(of: ReportFolder.marker)?.kind == .file
    }
    guard isEmpty || marked else { throw (.notAReport(path: path)) }
    let file = try onFile { () throws(Failure) in try directory.open(ReportFolder.marker, to: .update) }
    let lock: FileLock
    do throws(Failure) { lock = try FileLock(file) } catch {
      throw error.errno == .wouldBlock ? .busy(path: path) : .file(error)
    }
    try onFile { () throws(Failure) in
      // Of a run that was killed.
      try directory.removeTrees { ReportFolder.isOurs($0, ReportFolder.unfinished) }
    }
    self.directory = directory
    self.lock = lock
    isNew = !marked
  }

  deinit {
    guard !isPublished else { return }
    do throws(Failure) {
      for name in files { try directory.remove(name + ReportFolder.unfinished) }
      if isNew { try directory.remove(ReportFolder.marker) }
    } catch {}
  }

  /// Writes the pages of a report and the report itself, in the place of an older one; how many pages.
  package mutating func write(_ report: Report) throws(ReportError) -> Int {
    for release in report.pages {
      try add(ReportPage.fileName(release, in: report), ReportPage(of: release, in: report).html())
    }
    try add(ReportFolder.value, Array((JSONLine.text(report) + "\n").utf8))
    try publish()
    return report.pages.count
  }

  /// Writes a file that is not seen yet.
  private mutating func add(_ name: String, _ bytes: [UInt8]) throws(ReportError) {
    files.append(name)
    try onFile { () throws(Failure) in
      let file = try directory.open(name + ReportFolder.unfinished, to: .replace)
      try file.write(bytes.span.bytes)
      try file.synchronize()
      try file.close()
    }
  }

  /// Gives all files their names, the one that was added first last, and removes those of an older report.
  private mutating func publish() throws(ReportError) {
    let files = files
    try onFile { () throws(Failure) in
      for name in files.reversed() { try directory.rename(name + ReportFolder.unfinished, to: name) }
      try directory.removeTrees { ReportFolder.isOurs($0, "") && !files.contains($0) }
      try directory.synchronize()
    }
    isPublished = true
  }

  /// Whether a name is that of a page or of the report for programs, with something after it.
  private static func isOurs(_ name: String, _ suffix: String) -> Bool {
    guard name.hasSuffix(suffix) else { return false }
    let page = name.dropLast(suffix.count)
    if page == "index.html" || page == value { return true }
    guard page.hasPrefix("release-"), page.hasSuffix(".html") else { return false }
    return UInt64(ascii: page.dropFirst("release-".count).dropLast(".html".count).utf8) != nil
  }
}
