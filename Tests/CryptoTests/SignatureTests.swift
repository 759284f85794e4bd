import Crypto
import CryptoSigning
import Platform
import TestSupport
import Testing

@Suite("Signatures")
struct SignatureTests {
  private static let schemes: [SignatureScheme] = [.ed25519, .ecdsaP256, .rsaPSS]
  private let message = Array("{\"_type\":\"root\"}".utf8)

  @Test(
    "the ed25519 signatures of RFC 8032 are true",
    arguments: [
      (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
          + "d25bf5f0595bbe24655141438e7a100b"
      ),
      (
        "3D4017C3E843895A92B70AA74D1B7EBC9C982CCF2EC4968CC0CD55F12AF4660C", "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
          + "387b2eaeb4302aeeb00d291612bb0c00"
      ),
    ])
  func vectors(_ key: String, _ message: String, _ signature: String) throws {
    let message = try #require(Hex.bytes(message))
    let signature = try #require(Hex.bytes(signature))
    #expect(try verifies(.ed25519, key, signature, of: message))
    #expect(try !verifies(.ed25519, key, signature, of: message + [0]))
  }

  @Test("what openssl signs is verified here", arguments: schemes)
  func fromOpenSSL(_ scheme: SignatureScheme) throws {
    let openssl = try OpenSSL()
    try openssl.generate(scheme)
    let key = try openssl.publicText(scheme)
    for message in [[], message, [UInt8](repeating: 7, count: 70_000)]
    where !(message.isEmpty && scheme == .ed25519) {
      #expect(try verifies(scheme, key, openssl.sign(message, scheme), of: message))
    }
  }

  @Test("the salt of RSA-PSS has any length", arguments: ["0", "20", "32", "max"])
  func salts(_ length: String) throws {
    let openssl = try OpenSSL()
    try openssl.generate(.rsaPSS)
    let signature = try openssl.sign(message, .rsaPSS, saltLength: length)
    #expect(try verifies(.rsaPSS, openssl.text("public.pem"), signature, of: message))
  }

  @Test("an RSA signature with the old padding, or over another hash, is false")
  func otherPaddings() throws {
    let openssl = try OpenSSL()
    try openssl.generate(.rsaPSS)
    let key = try openssl.text("public.pem")
    try openssl.scratch.write("message", message)
    try openssl.run("dgst", "-sha256", "-sign", "@key.pem", "-out", "@signature", "@message")
    #expect(try !verifies(.rsaPSS, key, openssl.scratch.read("signature"), of: message))
    try openssl.run(
      "dgst", "-sha512", "-sigopt", "rsa_padding_mode:pss", "-sign", "@key.pem", "-out", "@signature",
      "@message")
    #expect(try !verifies(.rsaPSS, key, openssl.scratch.read("signature"), of: message))
  }

  @Test("what is signed here is verified by openssl, and here", arguments: schemes)
  func toOpenSSL(_ scheme: SignatureScheme) throws {
    let openssl = try OpenSSL()
    let key = try PrivateKey.generate(scheme)
    let text = try key.publicText()
    try openssl.scratch.write("sealed.pem", try key.encryptedPEM(passphrase: Array("secret".utf8)))
    try openssl.run(
      "pkey", "-in", "@sealed.pem", "-passin", "pass:secret", "-pubout", "-out", "@public.pem")
    #expect(try openssl.publicText(scheme) == text)
    let signature = try key.sign(message.span.bytes)
    try openssl.verify(signature, of: message, scheme)
    #expect(try verifies(scheme, text, signature, of: message))
    let empty = try key.sign([UInt8]().span.bytes)
    #expect(try verifies(scheme, text, empty, of: []))
    #expect(try !verifies(scheme, text, empty, of: message))
  }

  @Test("one flipped bit in the message or the signature, and it is false", arguments: schemes)
  func flipped(_ scheme: SignatureScheme) throws {
    let key = try PrivateKey.generate(scheme)
    let publicKey = try PublicKey(scheme, text: key.publicText())
    let signature = try key.sign(message.span.bytes)
    for index in signature.indices {
      for bit in 0..<8 {
        var other = signature
        other[index] ^= 1 << bit
        let isTrue = publicKey.verifies(other, of: message.span.bytes)
        #expect(!isTrue, "byte \(index), bit \(bit)")
      }
    }
    for index in message.indices {
      var other = message
      other[index] ^= 1
      let isTrue = publicKey.verifies(signature, of: other.span.bytes)
      #expect(!isTrue, "byte \(index)")
    }
  }

  @Test("a signature that is cut off, empty or too long is false", arguments: schemes)
  func lengths(_ scheme: SignatureScheme) throws {
    let key = try PrivateKey.generate(scheme)
    let publicKey = try PublicKey(scheme, text: key.publicText())
    let signature = try key.sign(message.span.bytes)
    for count in 0..<signature.count {
      let isTrue = publicKey.verifies(Array(signature.prefix(count)), of: message.span.bytes)
      #expect(!isTrue, "\(count) bytes")
    }
    for tail in [[0], [UInt8](repeating: 0, count: 64), [UInt8](repeating: 255, count: 1 << 20)] {
      let isTrue = publicKey.verifies(signature + tail, of: message.span.bytes)
      #expect(!isTrue, "\(tail.count) more bytes")
    }
    let isStillTrue = publicKey.verifies(signature, of: message.span.bytes)
    #expect(isStillTrue)
  }

  @Test("another key of the same scheme does not verify", arguments: schemes)
  func otherKey(_ scheme: SignatureScheme) throws {
    let signature = try PrivateKey.generate(scheme).sign(message.span.bytes)
    #expect(try !verifies(scheme, PrivateKey.generate(scheme).publicText(), signature, of: message))
  }

  @Test("schemes are known by the names of TUF, ECDSA by its old key type too")
  func names() {
    for scheme in SignatureTests.schemes {
      #expect(SignatureScheme(keytype: scheme.keytype, scheme: scheme.name) == scheme)
      #expect(SignatureScheme(keytype: scheme.keytype, scheme: "") == nil)
    }
    #expect(SignatureScheme(keytype: "ecdsa-sha2-nistp256", scheme: "ecdsa-sha2-nistp256") == .ecdsaP256)
    #expect(SignatureScheme(keytype: "rsa", scheme: "ed25519") == nil)
    #expect(SignatureScheme(keytype: "rsa", scheme: "rsassa-pss-sha512") == nil)
  }
}
