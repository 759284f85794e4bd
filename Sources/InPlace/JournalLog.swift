internal import Crypto
internal import Platform
internal import Store

/// Adds to a journal how far the update has come, one durable line at a time.
///
/// A class, since lines are also added while a container is applied.
final class JournalLog {
  private let file: File
  private(set) var progress: Progress
  /// How many lines there are.
  private var count: Int

  /// Cuts off what power loss has torn.
  init(_ folder: borrowing Directory) throws(Failure) {
    var reader = try JournalReader(folder)
    let end: UInt64
    (progress, count, end) = try reader.readProgress()
    file = try folder.open(Journal.fileName, to: .update)
    if try file.size() > end { try file.truncate(to: end) }
    try file.seek(to: end)
  }

  /// Returns when the line is durable.
  func add(_ step: Progress.Step) throws(Failure) {
    var next = progress
    guard next.take(step) else { throw .badManifest(path: file.path, line: 0) }
    let text: String
    do throws(HasherError) { text = try step.text() } catch { throw .noMemory }
    let line = "\(text) \(try Journal.check(of: text, number: count + 1))\n"
    try file.write(line)
    try file.synchronizeData()
    (progress, count) = (next, count + 1)
  }
}
