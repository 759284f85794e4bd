/// Why the index command did not make an index.
package enum IndexFailure: Equatable {
  case notStarted(cause: String)
  case exited(CInt)
  /// With the kernel's name of the signal, such as "Segmentation fault".
  case killed(signal: String)
  case overTime(seconds: UInt64)
  /// What it left is not a regular file.
  case noFile

  /// What it did, and what to do next.
  package var sentence: String {
    switch self {
    case .notStarted(let cause): "could not be started (\(cause)); correct index_command"
    case .exited(let code): "exited with \(code); its output is in the log"
    case .killed(let signal):
      "was killed by a signal (\(signal)); its output is in the log, perhaps raise index_memory"
    case .overTime(let seconds): "timed out after \(seconds) seconds; raise index_time"
    case .noFile: "did not produce a regular file; correct index_command"
    }
  }
}
