private import Glibc
private import Platform

/// A run of a program, as `scripts/check-json` reads it: one JSON object per line.
package struct RecordedRun {
  package let words: [String]
  /// The exit code; nil if a signal ended it.
  package let status: Int32?
  package let output: String
  package let error: String

  /// Bytes of each output that are kept: lists of large worlds are the same line again and again.
  private static let longest = 1 << 20

  /// The file to which all runs of the tests are appended; `scripts/run-tests` names it.
  private static let file = environment("TINYUPDATER_RUNS")

  package init(words: [String], status: Int32?, output: String, error: String) {
    (self.words, self.status, self.output, self.error) = (words, status, output, error)
  }

  init(words: [String], status: Int32?, output: [UInt8], error: [UInt8]) {
    self.init(
      words: words, status: status,
      output: String(decoding: output.prefix(RecordedRun.longest), as: UTF8.self),
      error: String(decoding: error.prefix(RecordedRun.longest), as: UTF8.self))
  }

  package var line: String {
    var json = JSON()
    json.add("words", words)
    json.add("status", status ?? -1)
    json.add("output", output)
    json.add("error", error)
    return json.text + "\n"
  }

  /// Appends it to the file, if there is one and the run may have written JSON.
  func record() {
    guard let file = RecordedRun.file,
      words.contains(where: { $0.contains("json") || $0 == "watch" || $0 == "make" })
    else { return }
    let descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // One call: other tests append as well.
    let bytes = Array(line.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }
}
