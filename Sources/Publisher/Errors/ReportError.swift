/// Why a report cannot be written.
package enum ReportError: Error, Equatable {
  case noReleases(path: String)
  /// A directory with something else in it.
  case notAReport(path: String)
  /// Another process is writing to it.
  case busy(path: String)

  /// What happened, to which directory, and what to do next.
  package var sentence: String {
    switch self {
    case .noReleases(let path): "\(path) has no release yet. Make one with \"tinypublish release\"."
    case .notAReport(let path): "\(path) is not empty, and not a report. Choose a new or an empty directory."
    case .busy(let path): "Another process is writing a report to \(path). Wait until it has finished."
    }
  }
}
