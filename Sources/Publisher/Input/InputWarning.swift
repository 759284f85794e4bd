/// Something in the input that may not be what the publisher wants, and that stops nothing.
package enum InputWarning: Equatable, Sendable {
  /// A database in WAL mode without the file that its last changes would be in.
  case writeAheadLog(path: String)

  /// What was found, and what to do about it.
  package var sentence: String {
    switch self {
    case .writeAheadLog(let path):
      """
      \(path) is in SQLite's WAL mode. If a program was writing it, its last changes are in another file, \
      \(path)-wal, and are not published. Run "PRAGMA journal_mode = DELETE" on it, which also spares the devices that mode.
      """
    }
  }
}
