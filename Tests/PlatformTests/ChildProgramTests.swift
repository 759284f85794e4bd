import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite("ChildProgram")
struct ChildProgramTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("child") }

  private func start(
    _ script: String, memory: UInt64 = 1 << 30, seconds: UInt64 = 60, fileSize: UInt64 = 1 << 20
  ) throws -> ChildProgram {
    let output = try Directory(opening: scratch.path).open("output", to: .append)
    return try ChildProgram(
      starting: "/bin/sh", arguments: ["-c", script, "sh", "first", "second argument"],
      settings: [("NAME", "a value")],
      output: output, limits: .init(memory: memory, seconds: seconds, fileSize: fileSize))
  }

  private var output: String {
    get throws { String(decoding: try scratch.read("output"), as: UTF8.self) }
  }

  @Test("arguments, environment, output and status pass through")
  func basics() throws {
    var child = try start("echo \"$1,$2,$NAME\"; echo error >&2; cat; exit 7")
    #expect(child.wait() == .exited(7))
    #expect(try output == "first,second argument,a value\nerror\n")
    #expect(child.poll() == .exited(7))
  }

  @Test("a program that is not there, or may not be run, is an error that names it")
  func missing() throws {
    let file = try Directory(opening: scratch.path).open("output", to: .append)
    for (path, errno) in [("/nonexistent/program", Errno.noEntry), (scratch.path, .notAllowed)] {
      #expect(throws: Failure(errno, path: path)) {
        _ = try ChildProgram(
          starting: path, arguments: [], settings: [], output: file,
          limits: .init(memory: 1 << 30, seconds: 1, fileSize: 0))
      }
    }
  }

  @Test("it has its limits, a group of its own, default signals and no files of ours")
  func surroundings() throws {
    let secret = try Directory(opening: scratch.path).open("secret", to: .replace)
    // A file that the program which started this one left open.
    let inherited = fcntl(0, F_DUPFD, 512)
    try #require(inherited >= 512)
    defer { close(inherited) }
    var child = try start(
      "ulimit -d; ulimit -t; ulimit -f; nice; ls /proc/self/fd | wc -l; grep -E 'SigBlk|SigIgn' /proc/self/status; "
        + "[ $$ = $(cut -d ' ' -f 5 /proc/$$/stat) ] && echo own", memory: 64 << 20, seconds: 9,
      fileSize: 1 << 20)
    #expect(child.wait() == .exited(0))
    _ = try secret.size()
    let lines = try output.split(separator: "\n").map(String.init)
    #expect(lines.prefix(3) == ["65536", "9", "2048"])
    #expect(Int(lines[3]) ?? 0 >= 10)
    // Input, output, error, and the directory that ls itself reads.
    #expect(lines[4].trimmed == "4")
    // Signal 32 and what follows are the C library's own.
    for line in lines[5...6] {
      #expect(UInt64(line.suffix(16), radix: 16).map { $0 & 0x7fff_ffff } == 0, "\(line)")
    }
    #expect(lines.last == "own")
  }

  @Test("more bytes in a file than it may have end it")
  func fileSize() throws {
    var child = try start("exec head -c 5000 /dev/zero", fileSize: 4096)
    #expect(child.wait() == .killed(signal: ChildProgram.fileSizeSignal))
  }

  @Test("its processor time and its time are limited")
  func time() throws {
    var busy = try start("while :; do :; done", seconds: 1)
    // Which of the two clocks is the first depends on how busy the machine is.
    let ending = busy.wait()
    #expect(ending == .killed(signal: ChildProgram.processorTimeSignal) || ending == .overTime)
    var idle = try start("exec sleep 60", seconds: 1)
    #expect(idle.wait() == .overTime)
  }

  @Test("what it started ends with it, also when it does not listen")
  func group() throws {
    var child = try start("trap '' TERM; sleep 70.125 & echo $!; while :; do sleep 70.125; done")
    while try output.isEmpty { Clock.sleep(milliseconds: 10) }
    #expect(child.poll() == nil)
    let before = Clock.milliseconds
    child.kill()
    #expect(Clock.milliseconds - before < 3000)
    #expect(child.poll() == .killed(signal: 9))
    let grandchild = try output.trimmedEnd
    // Init, or the process that adopts it, reaps it.
    let end = Clock.milliseconds + 5000
    while try isRunning(grandchild), Clock.milliseconds < end { Clock.sleep(milliseconds: 10) }
    #expect(try !isRunning(grandchild))
  }

  @Test("what it leaves running when it ends is ended")
  func leftOver() throws {
    var child = try start("sleep 72.125 & echo $!")
    #expect(child.wait() == .exited(0))
    let left = try output.trimmedEnd
    let end = Clock.milliseconds + 5000
    while try isRunning(left), Clock.milliseconds < end { Clock.sleep(milliseconds: 10) }
    #expect(try !isRunning(left))
  }

  @Test("its time also passes while it is not polled")
  func alarm() throws {
    let child = try start("echo $$; exec sleep 73.125", seconds: 1)
    while try output.isEmpty { Clock.sleep(milliseconds: 10) }
    let id = try output.trimmedEnd
    let end = Clock.milliseconds + 10_000
    while try isRunning(id), Clock.milliseconds < end { Clock.sleep(milliseconds: 10) }
    #expect(try !isRunning(id))
    var ended = child
    #expect(ended.poll() == .overTime)
  }

  @Test("it does not outlive the value")
  func end() throws {
    do {
      let child = try start("echo $$; exec sleep 71.125")
      while try output.isEmpty { Clock.sleep(milliseconds: 10) }
      _ = consume child
    }
    #expect(try !isRunning(output.trimmedEnd))
  }

  /// A zombie does not run.
  private func isRunning(_ id: String) throws -> Bool {
    let state = try ChildProcess.run("sh", ["-c", "cut -d ' ' -f 3 /proc/\(id)/stat 2>/dev/null"]).output
      .trimmedEnd
    return !state.isEmpty && state != "Z"
  }
}

extension String {
  fileprivate var trimmedEnd: String { parts(separatedBy: "\n")[0] }
}
