import TestSupport
import Testing

@testable import Platform

@Suite("Log")
struct LogTests {
  private let scratch: Scratch
  private var path: String { "\(scratch.path)/log" }

  init() throws { scratch = try Scratch("log") }

  private func lines(_ name: String = "log") throws -> [String] {
    String(decoding: try scratch.read(name), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("lines are added at the end of what is there")
  func append() throws {
    try scratch.write("log", "before\n")
    let log = LogFile(path: path, maximumSize: 1000)
    log.append("one")
    log.append("two")
    #expect(try lines() == ["before", "one", "two"])
  }

  @Test("a file that would grow over its size takes the name FILE.1, and one old file is kept")
  func rotation() throws {
    let log = LogFile(path: path, maximumSize: 20)
    for line in ["1234567", "1234567", "third", "fourth", "fifth", "sixth and rather a long one"] {
      log.append(line)
    }
    #expect(try lines("log.1") == ["third", "fourth", "fifth"])
    #expect(try lines() == ["sixth and rather a long one"])
    #expect(try scratch.names() == ["log", "log.1"])
  }

  @Test("a line that is longer than one may be is cut at a whole character")
  func longLine() throws {
    LogFile(path: path, maximumSize: 100_000).append("x" + String(repeating: "ö", count: 4000))
    #expect(try lines() == ["x" + String(repeating: "ö", count: 2047)])
  }

  @Test("two writers lose no line while the file is renamed under their hands")
  func writers() async throws {
    let path = path
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask {
          // Sized so that it is renamed exactly once.
          let log = LogFile(path: path, maximumSize: 400 * 8)
          for line in 0..<300 { log.append("\(writer) \(line + 10000)".cut(to: 7)) }
        }
      }
    }
    let all = try lines("log.1") + lines()
    #expect(all.count == 600)
    for writer in 0..<2 {
      #expect(all.filter { $0.hasPrefix("\(writer) ") } == (0..<300).map { "\(writer) \($0 + 10000)" })
    }
  }

  @Test("a log that cannot be written to is none", arguments: ["directory", "fifo", "missing/log", "link"])
  func unusable(kind: String) throws {
    switch kind {
    case "directory": try scratch.makeDirectory("log")
    case "fifo": #expect(try ChildProcess.run("mkfifo", [path]).status == 0)
    case "link": try Directory(opening: scratch.path).makeSymbolicLink("log", to: "elsewhere")
    default: break
    }
    let log = LogFile(path: kind == "missing/log" ? "\(scratch.path)/\(kind)" : path, maximumSize: 10)
    // The caller gives the line to another log.
    #expect(!log.append("lost"))
    #expect(try !scratch.exists("elsewhere") && !scratch.exists("missing"))
  }

  @Test("a file that cannot be renamed is started again, and is still written")
  func fixedName() throws {
    // A directory of another user.
    try scratch.write("log.1/file", "x")
    let log = LogFile(path: path, maximumSize: 20)
    for line in ["1234567", "1234567", "third", "fourth"] { #expect(log.append(line)) }
    #expect(try lines() == ["third", "fourth"])
  }

  @Test("a lock that is held does not stop a writer")
  func held() throws {
    let holder = try Directory(opening: scratch.path).open("log", to: .append)
    try holder.lock()
    LogFile(path: path, maximumSize: 1).append("line")
    #expect(try lines() == ["line"])
  }

  @Test(
    "what would end a line or command a terminal is escaped",
    arguments: [
      ("plain ö 🗺", "plain ö 🗺"), ("a\nb\u{1b}[2J", "a\\x0ab\\x1b[2J"),
      ("\u{0}\u{7f}\u{9b}", "\\x00\\x7f\\x9b"),
      ("\r\t", "\\x0d\\x09"), ("", ""),
      ("a\u{202e}b\u{2066}\u{200f}\u{2028}", "a\\u202eb\\u2066\\u200f\\u2028"),
    ])
  func escaped(text: String, expected: String) { #expect(text.escapingControls == expected) }

  @Test(
    "a text is cut at a whole character",
    arguments: [
      ("abc", 3, "abc"), ("abc", 2, "ab"), ("aö", 2, "a"), ("aöb", 3, "aö"), ("🗺", 3, ""), ("a", 0, ""),
    ])
  func cut(text: String, limit: Int, expected: String) { #expect(text.cut(to: limit) == expected) }

  @Test("where lines go is a word or an absolute path of a file")
  func destination() {
    #expect(Log.Destination("stderr") == .standardError && Log.Destination("syslog") == .syslog)
    #expect(Log.Destination("/var/log/maps") == .file("/var/log/maps"))
    for text in ["", "log", "./log", "/var/", "/"] { #expect(Log.Destination(text) == nil, "\(text)") }
    #expect(Log.Level("warning") == .warning && Log.Level("loud") == nil)
  }
}
