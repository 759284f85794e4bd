package import Glibc
package import Platform
private import Synchronization

/// A program that runs beside the test, with its output caught in memory.
package final class ChildProcess {
  package let id: pid_t
  /// The program and its arguments.
  package let words: [String]
  private let output: CInt
  private let error: CInt
  private var isReaped = false
  /// All of the run, when it has ended.
  package private(set) var recorded: RecordedRun?
  /// What `waitForLine` has read of both outputs.
  private var earlier: [[UInt8]] = [[], []]

  /// What a run came to.
  package struct Outcome: Equatable {
    /// Nil if a signal ended it.
    package let status: Int32?
    /// Nil if it ended by itself.
    package let signal: Int32?
    package let output: String
    package let error: String
    /// It did not end in its time and was killed.
    package let isTimedOut: Bool
  }

  /// While a pipe is made and handed on, no other child may be born: it would inherit the ends.
  private static let births = Mutex(())

  package init(_ program: String, _ arguments: [String], environment: [String: String] = [:])
    throws(Failure)
  {
    words = [program] + arguments
    let result = ChildProcess.births.withLock { _ in ChildProcess.spawn(program, arguments, environment) }
    switch result {
    case .success(let child): (id, output, error) = child
    case .failure(let errno): throw Failure(errno, path: program)
    }
  }

  private static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String: String]
  ) -> Result<(pid_t, CInt, CInt), Errno> {
    var (output, error): ([CInt], [CInt]) = ([-1, -1], [-1, -1])
    guard pipe(&output) == 0, pipe(&error) == 0 else { return .failure(Errno(code: errno)) }
    for end in output + error { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output[1], 1)
    posix_spawn_file_actions_adddup2(&actions, error[1], 2)
    // The threads that run tests have signals blocked, which a child would inherit.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var mask = sigset_t()
    sigemptyset(&mask)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let words = ([program] + arguments).map { strdup($0) }
    var settings: [UnsafeMutablePointer<CChar>?] = []
    for variable in ["PATH", "HOME"] where environment[variable] == nil {
      if let value = getenv(variable) { settings.append(strdup("\(variable)=\(String(cString: value))")) }
    }
    for (name, value) in environment { settings.append(strdup("\(name)=\(value)")) }
    defer { for text in words + settings { free(text) } }
    var id: pid_t = 0
    let failure = posix_spawnp(&id, program, &actions, &attributes, words + [nil], settings + [nil])
    close(output[1])
    close(error[1])
    guard failure == 0 else {
      close(output[0])
      close(error[0])
      return .failure(Errno(code: failure))
    }
    return .success((id, output[0], error[0]))
  }

  deinit {
    if !isReaped {
      signal(SIGKILL)
      reap()
    }
    close(output)
    close(error)
  }

  package func signal(_ number: Int32) { if !isReaped { kill(id, number) } }

  /// Waits until the child has closed its outputs and ended, at most `timeout` seconds; then it is killed.
  package func wait(timeout: UInt64 = 60) -> Outcome {
    let end = Clock.milliseconds + timeout * 1000
    var (texts, isTimedOut) = read(until: end)
    // It can close its outputs and not end.
    while !isTimedOut && !hasEnded {
      isTimedOut = Clock.milliseconds >= end
      Clock.sleep(milliseconds: 2)
    }
    if isTimedOut { signal(SIGKILL) }
    let status = reap()
    let killer = status & 0x7f
    let exit: Int32? = killer == 0 ? status >> 8 & 0xff : nil
    let run = RecordedRun(
      words: words, status: exit, output: earlier[0] + texts[0], error: earlier[1] + texts[1])
    run.record()
    recorded = run
    return Outcome(
      status: exit, signal: killer == 0 ? nil : killer,
      output: String(decoding: texts[0], as: UTF8.self), error: String(decoding: texts[1], as: UTF8.self),
      isTimedOut: isTimedOut)
  }

  /// Reads both outputs until the child has closed them, or until the clock shows `end`.
  private func read(until end: UInt64) -> (texts: [[UInt8]], isTimedOut: Bool) {
    var texts: [[UInt8]] = [[], []]
    var polled = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: error, events: Int16(POLLIN), revents: 0),
    ]
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while polled.contains(where: { $0.fd >= 0 }) {
      let now = Clock.milliseconds
      guard now < end else { return (texts, true) }
      guard poll(&polled, 2, CInt(clamping: end - now)) > 0 else { continue }
      for index in 0..<2 where polled[index].fd >= 0 && polled[index].revents != 0 {
        let count = Glibc.read(polled[index].fd, &buffer, buffer.count)
        if count > 0 { texts[index] += buffer[..<count] } else { polled[index].fd = -1 }
      }
    }
    return (texts, false)
  }

  /// It has ended, and waits for `reap`.
  private var hasEnded: Bool {
    var found = siginfo_t()
    return waitid(P_PID, id_t(id), &found, WEXITED | WNOHANG | WNOWAIT) != 0 || found.si_signo == SIGCHLD
  }

  /// Reads lines until one has `text`; nil if the child ends before, or does not say it in five minutes.
  ///
  /// For a program that says when it is ready. What is read here is not in the outcome.
  package func waitForLine(with text: String, in stream: Stream = .output) -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    var polled = pollfd(fd: stream == .output ? output : error, events: Int16(POLLIN), revents: 0)
    let end = Clock.milliseconds + 300_000
    while true {
      let count = poll(&polled, 1, CInt(max(0, end - min(end, Clock.milliseconds))))
      // A signal, also one that stopped this process and let it go on.
      if count == -1 && errno == EINTR { continue }
      guard count > 0, Glibc.read(polled.fd, &byte, 1) == 1 else { return nil }
      earlier[stream == .output ? 0 : 1].append(byte)
      if byte != 10 {
        line.append(byte)
        continue
      }
      let words = String(decoding: line, as: UTF8.self)
      if words.contains(text) { return words }
      line = []
    }
  }

  package enum Stream { case output, error }

  /// What `waitForLine` has read of a stream.
  package func text(readFrom stream: Stream) -> String {
    String(decoding: earlier[stream == .output ? 0 : 1], as: UTF8.self)
  }

  @discardableResult
  private func reap() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) == -1 && errno == EINTR {}
    isReaped = true
    return status
  }

  /// Runs a program to its end.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], timeout: UInt64 = 60
  ) throws(Failure) -> Outcome {
    try ChildProcess(program, arguments, environment: environment).wait(timeout: timeout)
  }
}
