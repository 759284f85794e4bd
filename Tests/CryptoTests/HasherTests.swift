import Crypto
import Testing

@Suite("Hasher")
struct HasherTests {
  @Test("the digest of nothing is the well-known one")
  func nothing() throws {
    let digest = try Hasher.digest(of: [UInt8]().span.bytes)
    #expect(digest.hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }
}
