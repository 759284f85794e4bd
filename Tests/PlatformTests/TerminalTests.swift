import CPlatform
import Testing

@testable import Platform

@Suite("Terminal")
struct TerminalTests {
  @Test("a pipe is closed when its reader has gone, and a file never is")
  func isClosed() throws {
    var ends: [CInt] = [-1, -1]
    #expect(pipe2(&ends, O_CLOEXEC) == 0)
    defer { _ = close(ends[1]) }
    #expect(!Terminal.isClosed(ends[1]))
    _ = close(ends[0])
    #expect(Terminal.isClosed(ends[1]))
    let file = try File(opening: "/dev/null")
    #expect(!Terminal.isClosed(file.raw))
  }
}
