import Platform
import Publisher
import Testing

@Suite("Secret prompt")
struct SecretPromptTests {
  @Test("a terminal that is not there is not made")
  func missing() throws {
    let path = "/tmp/tinypublish-terminal-\(UInt64.random(in: 0 ... .max))"
    defer { File.remove(path) }
    #expect(SecretPrompt(on: path).read("Passphrase: ") == nil)
    #expect(throws: Failure(.noEntry, path: path)) { try File(opening: path).close() }
  }

  @Test("a secret that is wiped is zeros")
  func wipe() {
    var secret: [UInt8] = [1, 2, 3]
    secret.wipe()
    #expect(secret == [0, 0, 0])
  }
}
