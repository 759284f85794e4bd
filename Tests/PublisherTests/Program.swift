import Glibc
import Platform
import TestSupport

/// The built `tinypublish`, run as a user runs it.
struct Program {
  let path: String

  /// Nil if the program was not built beside the tests.
  init?() throws(Failure) {
    guard let tests = try Directory(opening: "/proc/self").readSymbolicLink("exe"),
      let slash = tests.lastIndex(of: "/")
    else { return nil }
    let folder = String(tests[..<slash])
    guard try Directory(opening: folder).status(of: "tinypublish")?.kind == .file else { return nil }
    path = "\(folder)/tinypublish"
  }

  /// The result of a run.
  struct Outcome: Equatable {
    /// Nil if it was killed.
    let status: Int32?
    let output: String
    let error: String
  }

  /// Runs to the end, or kills the run after `delay` milliseconds, or after five minutes.
  ///
  /// Its output goes to files in `scratch`.
  func run(_ arguments: [String], in scratch: String, killedAfter delay: UInt64? = nil) throws(Failure)
    -> Outcome
  {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 1, "\(scratch)/output", flags, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, "\(scratch)/error", flags, 0o600)
    let words = ([path] + arguments).map { strdup($0) }
    // No terminal, so that it cannot ask for anything. POSIX_SPAWN_SETSID, which the headers hide.
    posix_spawnattr_setflags(&attributes, 0x80)
    let environment = ["TINYPUBLISH_PASSPHRASE_FILE=\(scratch)/passphrase"]
    let variables: [UnsafeMutablePointer<CChar>?] = environment.map { (text: String) in strdup(text) }
    defer { for word in words + variables { free(word) } }
    var child: pid_t = 0
    let failure = posix_spawn(&child, path, &actions, &attributes, words + [nil], variables + [nil])
    guard failure == 0 else { throw Failure(Errno(code: failure), path: path) }
    if let delay {
      Clock.sleep(milliseconds: delay)
      kill(child, SIGKILL)
    }
    var status: Int32 = 0
    let end = Clock.milliseconds + 300_000
    while waitpid(child, &status, WNOHANG) == 0 {
      if Clock.milliseconds >= end { kill(child, SIGKILL) }
      Clock.sleep(milliseconds: 5)
    }
    return Outcome(
      status: status & 0x7f == 0 ? status >> 8 & 0xff : nil,
      output: String(decoding: try contents("\(scratch)/output"), as: UTF8.self),
      error: String(decoding: try contents("\(scratch)/error"), as: UTF8.self))
  }
}
