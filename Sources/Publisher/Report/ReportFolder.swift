internal import Platform

/// The directory of a report.
///
/// All pages are written beside the old ones, and get their names when the last of them is complete: until then the old
/// report is what it was. It is locked meanwhile.
struct ReportFolder: ~Copyable {
  private let directory: Directory
  /// The marker: it is locked, since locks on directories do not reach the server of a network file system.
  private let lock: FileLock
  private var pages: [String] = []
  private var isPublished = false
  /// The directory was empty before.
  private let isNew: Bool

  /// What makes a directory a report, so that another one is never overwritten.
  private static let marker = ".tinypublish-report"
  private static let unfinished = ".new"

  /// Makes the directory; one that exists has to be empty, or a report.
  init(_ path: String) throws(PublisherError) {
    let directory = try onFile { () throws(Failure) in try Directory(making: path) }
    var isEmpty = true
    let marked = try onFile { () throws(Failure) in
      try directory.forEachName { (_) throws(Failure) in isEmpty = false }
      return try directory.status(of: ReportFolder.marker)?.kind == .file
    }
    guard isEmpty || marked else { throw .report(.notAReport(path: path)) }
    let file = try onFile { () throws(Failure) in try directory.open(ReportFolder.marker, to: .update) }
    let lock: FileLock
    do throws(Failure) { lock = try FileLock(file) } catch {
      throw error.errno == .wouldBlock ? .report(.busy(path: path)) : .file(error)
    }
    try onFile { () throws(Failure) in
      // Of a run that was killed.
      try directory.removeTrees { ReportFolder.isPage($0, ReportFolder.unfinished) }
    }
    self.directory = directory
    self.lock = lock
    isNew = !marked
  }

  deinit {
    guard !isPublished else { return }
    do throws(Failure) {
      for page in pages { try directory.remove(page + ReportFolder.unfinished) }
      if isNew { try directory.remove(ReportFolder.marker) }
    } catch {}
  }

  /// Writes a page that is not seen yet.
  mutating func add(_ page: String, _ bytes: [UInt8]) throws(PublisherError) {
    pages.append(page)
    try onFile { () throws(Failure) in
      let file = try directory.open(page + ReportFolder.unfinished, to: .replace)
      try file.write(bytes.span.bytes)
      try file.synchronize()
      try file.close()
    }
  }

  /// Gives all pages their names, the one that was added first last, and removes those of an older report.
  mutating func publish() throws(PublisherError) {
    let pages = pages
    try onFile { () throws(Failure) in
      for page in pages.reversed() { try directory.rename(page + ReportFolder.unfinished, to: page) }
      try directory.removeTrees { ReportFolder.isPage($0, "") && !pages.contains($0) }
      try directory.synchronize()
    }
    isPublished = true
  }

  /// Whether a name is that of a page, with something after it.
  private static func isPage(_ name: String, _ suffix: String) -> Bool {
    guard name.hasSuffix(suffix) else { return false }
    let page = name.dropLast(suffix.count)
    if page == "index.html" { return true }
    guard page.hasPrefix("release-"), page.hasSuffix(".html") else { return false }
    return UInt64(ascii: page.dropFirst("release-".count).dropLast(".html".count).utf8) != nil
  }
}
