import Crypto
import Platform
import Testing

@Suite("Hasher")
struct HasherTests {
  @Test("the digest of nothing is the well-known one")
  func nothing() throws {
    let digest = try Hasher.digest(of: [UInt8]().span.bytes)
    #expect(digest.hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  @Test("the digests of abc are those of FIPS 180-4, and the next hash starts from zero")
  func abc() throws {
    let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    let sha512 =
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
      + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    for (algorithm, expected) in [(HashAlgorithm.sha256, sha256), (.sha512, sha512)] {
      var hasher = try Hasher(algorithm)
      for _ in 0..<2 {
        try hasher.update(Array("abc".utf8).span.bytes)
        let digest = try hasher.finishBytes()
        #expect(Hex.text(digest) == expected)
        #expect(digest.count == algorithm.size)
      }
    }
  }

  @Test("a SHA-512 does not fit into a digest")
  func tooLong() throws {
    var hasher = try Hasher(.sha512)
    #expect(throws: HasherError.self) { try hasher.finish() }
  }

  @Test("algorithms are known by their names in metadata")
  func names() {
    for algorithm in [HashAlgorithm.sha256, .sha512] {
      #expect(HashAlgorithm(name: algorithm.name) == algorithm)
    }
    for name in ["", "SHA256", "sha384", "sha-256"] { #expect(HashAlgorithm(name: name) == nil) }
  }
}
