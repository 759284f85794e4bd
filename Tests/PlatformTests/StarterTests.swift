import CPlatform
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
}

extension String {
  /// Calls `body` with the text as C has it, NULs and all.
  fileprivate func withPlatformBytes<Result>(_ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    utf8.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { body($0.baseAddress) }
  }
}
