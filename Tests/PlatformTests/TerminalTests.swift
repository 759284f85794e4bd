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

  @Test("a terminal that is not there is not made")
  func missing() throws {
    let path = "/tmp/tinyupdater-terminal-\(UInt64.random(in: 0 ... .max))"
    defer { File.remove(path) }
    #expect(Terminal.readSecret("Passphrase: ", on: path) == nil)
    #expect(throws: FileError(.noEntry, path)) { try File(opening: path).close() }
  }

  @Test("a secret that is wiped is zeros")
  func wipe() {
    var secret: [UInt8] = [1, 2, 3]
    secret.wipe()
    #expect(secret == [0, 0, 0])
  }
}
