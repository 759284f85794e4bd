import CPlatform
import Glibc
import TestSupport
import Testing

@testable import Platform

/// The process that starts programs for a confined one gives it nothing else.
@Suite("Starter")
struct StarterTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("starter") }

  /// The exit status of `/bin/sh`, asked for with these texts; -1 if that was refused.
  private func start(_ texts: [String], arguments: UInt32, variables: UInt32) throws -> CInt {
    let output = try Directory(opening: scratch.path).open("output", to: .append)
    var only = tu_startable()
    let socket = "/bin/sh".withPlatformString { path in
      "/allowed/".withPlatformString { argument in
        "OWN_".withPlatformString { variable in
          only = tu_startable(path: path, argument: argument, variable: variable)
          return tu_fork_starter(&only)
        }
      }
    }
    defer { close(socket) }
    var request = tu_start_request()
    request.limits = tu_child_limits(nice: 0, data: 1 << 30, cpu: 10, file_size: 1 << 20)
    request.arguments = arguments
    request.variables = variables
    let text = texts.map { $0 + "\0" }.joined()
    request.bytes = UInt32(text.utf8.count)
    let child = text.withPlatformBytes { tu_ask_starter(socket, &request, $0, output.raw) }
    guard child > 0 else { return -1 }
    var status: CInt = 0
    #expect(waitpid(child, &status, 0) == child)
    return tu_exit_code(status)
  }

  @Test("what it was made for is started, with the environment of this process")
  func allowed() throws {
    // There is no such script.
    #expect(try start(["/allowed/script", "OWN_NAME=value"], arguments: 1, variables: 1) > 0)
    #expect(String(decoding: try scratch.read("output"), as: UTF8.self).contains("/allowed/script"))
  }

  @Test(
    "other arguments, other variables and requests that are not well-formed are refused",
    arguments: [
      (["-c"], 1, 0), (["/allowed/../bin/x"], 1, 0), (["/allowed/a/../../x"], 1, 0),
      (["/allowed/x", "LD_PRELOAD=/x"], 1, 1), (["/allowed/x"], 2, 0), (["/allowed/x"], 0, 1),
      (["/allowed/x"], 17, 0), (["/allowed/x"], UInt32.max, 1),
      (["/allowed/" + String(repeating: "x", count: 40_000)], 1, 0),
    ] as [([String], UInt32, UInt32)])
  func refused(texts: [String], arguments: UInt32, variables: UInt32) throws {
    #expect(try start(texts, arguments: arguments, variables: variables) == -1)
  }

  @Test("it ends what it started, and nothing else")
  func signals() throws {
    let output = try Directory(opening: scratch.path).open("output", to: .append)
    try scratch.write("script", "sleep 100 & echo \"$!\" >\(scratch.path)/sleeper; wait\n")
    var only = tu_startable()
    let socket = "/bin/sh".withPlatformString { path in
      "\(scratch.path)/".withPlatformString { argument in
        "OWN_".withPlatformString { variable in
          only = tu_startable(path: path, argument: argument, variable: variable)
          return tu_fork_starter(&only)
        }
      }
    }
    defer { close(socket) }
    #expect(tu_ask_to_signal(socket, SIGTERM) == -1 && errno == ESRCH)
    var request = tu_start_request()
    request.limits = tu_child_limits(nice: 0, data: 1 << 30, cpu: 100, file_size: 1 << 20)
    request.arguments = 1
    let text = "\(scratch.path)/script\0"
    request.bytes = UInt32(text.utf8.count)
    let child = text.withPlatformBytes { tu_ask_starter(socket, &request, $0, output.raw) }
    try #require(child > 0)
    while try !names(scratch.path).contains("sleeper") || scratch.read("sleeper").isEmpty { usleep(10_000) }
    let sleeper = try #require(pid_t(String(decoding: scratch.read("sleeper"), as: UTF8.self).dropLast()))
    #expect(tu_has_ended(child) == 0)
    #expect(tu_ask_to_signal(socket, SIGTERM) == 0)
    while tu_has_ended(child) == 0 { usleep(10_000) }
    // The status is still there, and so is the number: what is left in the group can be ended.
    #expect(tu_ask_to_signal(socket, SIGKILL) == 0)
    var status: CInt = 0
    #expect(waitpid(child, &status, 0) == child)
    #expect(tu_end_signal(status) == SIGTERM)
    while kill(sleeper, 0) == 0, try !isZombie(sleeper) { usleep(10_000) }
    // From now on another process may have its number.
    #expect(tu_ask_to_signal(socket, SIGKILL) == -1 && errno == ESRCH)
    // It ends itself at any other request.
    #expect(tu_ask_to_signal(socket, SIGUSR1) == -1 && errno == EPIPE)
  }

  private func isZombie(_ process: pid_t) throws -> Bool {
    do throws(Failure) {
      let status = String(decoding: try contents("/proc/\(process)/stat"), as: UTF8.self)
      return status.contains(") Z ")
    } catch { return true }
  }
}

extension String {
  /// Calls `body` with the text as C has it, NULs and all.
  fileprivate func withPlatformBytes<Result>(_ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    utf8.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { body($0.baseAddress) }
  }
}
