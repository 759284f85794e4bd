/// One line that is redrawn in place: `[#####·····]  52 %  3.1 MB of 6.0 MB …`.
package struct ProgressBar {
  private let started: UInt64
  private var drawn: UInt64?

  package init() { started = Clock.milliseconds }

  /// The line for `done` of `total` bytes, followed by `note`; nil if the last one is less than 100 ms old.
  ///
  /// - `columns`: the width of the terminal; the line is cut to fit it.
  /// - `mark`: the character that replaces text that is cut off.
  package mutating func line(
    done: UInt64, total: UInt64, note: String, columns: Int, mark: String = "…", force: Bool = false
  ) -> String? {
    let now = Clock.milliseconds
    if let drawn, now - drawn < 100, !force { return nil }
    drawn = now
    let part = total == 0 ? 1000 : min(1000, done / (max(total, 1000) / 1000))
    let cells = columns >= 110 ? 24 : 10
    let filled = Int(part) * cells / 1000
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled)
    // The last pieces are left out first on a narrow terminal.
    var pieces: [String] = ["  \(ByteCount(done).text) of \(ByteCount(total).text)"]
    let elapsed = now - started
    if elapsed >= 500, done > 0, done <= total {
      let rate = done / max(elapsed / 100, 1) * 10
      pieces.append("  \(ByteCount(rate).text)/s")
      if rate > 0 { pieces.append("  \(Self.duration((total - done) / rate)) left") }
    }
    var text = "[\(bar)] \(part / 10) %"
    let width = max(columns - 1, 20)
    for piece in pieces {
      guard text.count + piece.count <= width else { return text }
      text += piece
    }
    // The beginning of the note is cut first.
    let room = width - text.count - 2
    if note.count <= room { return text + "  " + note }
    return room > 8 ? text + "  " + mark + String(note.suffix(room - 1)) : text
  }

  /// Draws over the previous line.
  package static func draw(_ line: String, to stream: Terminal.Stream) {
    Terminal.write("\r\u{1b}[K" + line, to: stream)
  }

  /// Erases the line.
  package static func erase(from stream: Terminal.Stream) { Terminal.write("\r\u{1b}[K", to: stream) }

  /// Seconds as "42 s", "3 min 5 s" or "2 h 10 min".
  package static func duration(_ seconds: UInt64) -> String {
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
  }
}
