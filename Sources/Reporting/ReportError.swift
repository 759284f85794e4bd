package import Platform

/// Why a report cannot be written.
package enum ReportError: Error, Equatable {
  /// A file could not be read or written.
  case file(Failure)
  /// A directory with something else in it.
  case notAReport(path: String)
  /// Another process is writing to it.
  case busy(path: String)
  /// The library refused to compute the digest of the style or the script.
  case hashing

  /// What happened, to which directory, and what to do next.
  package var sentence: String {
    switch self {
    case .file(let error): "\(error.cause). Fix the cause and repeat the command."
    case .notAReport(let path): "\(path) is not empty, and not a report. Choose a new or an empty directory."
    case .busy(let path): "Another process is writing a report to \(path). Wait until it has finished."
    case .hashing: "A digest for the report could not be computed. Check the installation of OpenSSL."
    }
  }
}

/// Runs `body` and wraps its error in that of this module.
func onFile<Result: ~Copyable>(_ body: () throws(Failure) -> Result) throws(ReportError) -> Result {
  do throws(Failure) { return try body() } catch { throw .file(error) }
}
