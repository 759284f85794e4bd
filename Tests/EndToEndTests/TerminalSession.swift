import Glibc
import Platform
import TestSupport
import Testing

/// A program in a terminal (tmux).
final class TerminalSession {
  private let scratch: Scratch
  private var socket: String { "\(scratch.path)/tmux" }

  /// Starts a command line of the shell; when it has ended, `ended` and its status are on the screen.
  init(_ command: String, columns: Int, lines: Int) throws {
    guard Programs.exists("tmux") else { throw Unmet("tmux is missing; \"scripts/setup test\" installs it") }
    scratch = try Scratch("terminal")
    try scratch.write("command", "\(command)\necho ended $?\nexec sleep 600\n")
    try tmux(
      "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(lines)",
      "sh '\(scratch.path)/command'")
  }

  deinit { _ = try? tmux("kill-server") }

  /// The lines on the screen, without blanks at their ends.
  var screen: String { (try? tmux("capture-pane", "-p")) ?? "" }

  func press(_ keys: String...) throws { for key in keys { try tmux("send-keys", key) } }

  func resize(columns: Int, lines: Int) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(lines)")
  }

  /// The process of the command.
  func signal(_ number: Int32, to name: String) throws { try Programs.run("pkill", "-\(number)", "-f", name) }

  /// Returns the screen when `text` is on it.
  @discardableResult
  func wait(for text: String) throws -> String { try wait(until: text) { $0.contains(text) } }

  /// The same, when `isShown` says so.
  @discardableResult
  func wait(until text: String = "what is waited for", _ isShown: (String) -> Bool) throws -> String {
    let end = Clock.milliseconds + 60_000
    while true {
      let screen = screen
      if isShown(screen) { return screen }
      try #require(Clock.milliseconds < end, "it did not come to \"\(text)\":\n\(screen)")
      Clock.sleep(milliseconds: 30)
    }
  }

  @discardableResult
  private func tmux(_ words: String...) throws -> String {
    let outcome = try ChildProcess.run("tmux", ["-S", socket] + words)
    #expect(outcome.status == 0, "\(words): \(outcome.error)")
    return outcome.output
  }
}
