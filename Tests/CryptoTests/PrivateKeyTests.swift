import Crypto
import CryptoSigning
import TestSupport
import Testing

@Suite("Private keys")
struct PrivateKeyTests {
  private static let schemes: [SignatureScheme] = [.ed25519, .ecdsaP256, .rsaPSS]
  private let openssl: OpenSSL

  init() throws { openssl = try OpenSSL() }

  @Test("a key comes back from its encrypted form", arguments: schemes)
  func roundTrip(_ scheme: SignatureScheme) throws {
    let key = try PrivateKey.generate(scheme)
    let (first, second) = (
      try key.encryptedPEM(passphrase: [0, 255]), try key.encryptedPEM(passphrase: [0, 255])
    )
    #expect(first != second)
    #expect(first.hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"))
    let back = try PrivateKey(encryptedPEM: first, passphrase: [0, 255])
    let (found, text) = (back.scheme, try back.publicText())
    #expect(found == scheme)
    #expect(try key.publicText() == text)
    let message: [UInt8] = [1, 2, 3]
    #expect(try verifies(scheme, text, back.sign(message.span.bytes), of: message))
  }

  @Test("openssl sees scrypt and AES-256")
  func parameters() throws {
    let key = try PrivateKey.generate(.ed25519)
    try openssl.scratch.write("sealed.pem", try key.encryptedPEM(passphrase: Array("secret".utf8)))
    try openssl.run("asn1parse", "-in", "@sealed.pem", "-out", "@sealed.der")
    let contents = try openssl.scratch.read("sealed.der")
    let scrypt: [UInt8] = [0x06, 9, 0x2b, 0x06, 1, 4, 1, 0xda, 0x47, 4, 11]
    let aes256CBC: [UInt8] = [0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 0x2a]
    #expect(contents.contains(scrypt))
    #expect(contents.contains(aes256CBC))
  }

  @Test("keys that openssl encrypted are read", arguments: schemes)
  func fromOpenSSL(_ scheme: SignatureScheme) throws {
    try openssl.generate(scheme)
    let text = try openssl.publicText(scheme)
    let seal = [
      "-topk8", "-in", "@key.pem", "-v2", "aes-256-cbc", "-passout", "pass:secret", "-out", "@sealed.pem",
    ]
    for function in [["-scrypt"], ["-v2prf", "hmacWithSHA256", "-iter", "600000"]] {
      try openssl.run(["pkcs8"] + seal + function)
      let sealed = try openssl.text("sealed.pem")
      let key = try PrivateKey(encryptedPEM: sealed, passphrase: Array("secret".utf8))
      let (found, foundText) = (key.scheme, try key.publicText())
      #expect(found == scheme)
      #expect(foundText == text)
      #expect(refusal(sealed, "Secret") == .wrongPassphrase)
    }
  }

  @Test("a wrong passphrase is distinguished from a damaged key")
  func wrongPassphrase() throws {
    let sealed = try PrivateKey.generate(.ed25519).encryptedPEM(passphrase: Array("secret".utf8))
    #expect(refusal(sealed, "secret") == nil)
    // Not "secret\0": HMAC fills short keys up with zeros, so to scrypt it is the same.
    for passphrase in ["secre", "secret ", "Secret", "\0"] {
      #expect(refusal(sealed, passphrase) == .wrongPassphrase)
    }
    #expect(refusal(String(sealed.dropLast(40)), "secret") == .badKey)
    #expect(refusal(sealed + sealed, "secret") == .badKey)
    #expect(refusal("", "secret") == .badKey)
  }

  /// Some of the wrong keys leave a padding that looks right.
  @Test("a thousand wrong passphrases are all said to be wrong")
  func manyWrongPassphrases() throws {
    let sealed = try cheaplySealed(.ecdsaP256)
    for number in 0..<1000 { #expect(refusal(sealed, "\(number)") == .wrongPassphrase) }
  }

  @Test("a passphrase has 1 to 1024 bytes")
  func passphraseSizes() throws {
    let key = try PrivateKey.generate(.ed25519)
    for count in [0, 1025] {
      let passphrase = [UInt8](repeating: 65, count: count)
      #expect(throws: KeyError.badPassphrase) { _ = try key.encryptedPEM(passphrase: passphrase) }
    }
    let longest = [UInt8](repeating: 65, count: 1024)
    #expect(refusal(try key.encryptedPEM(passphrase: longest), String(repeating: "A", count: 1024)) == nil)
  }

  @Test("a key that is not encrypted is refused", arguments: schemes)
  func notEncrypted(_ scheme: SignatureScheme) throws {
    try openssl.generate(scheme)
    #expect(refusal(try openssl.text("key.pem"), "secret") == .notEncrypted)
    guard scheme != .ed25519 else { return }
    try openssl.run("pkey", "-in", "@key.pem", "-traditional", "-out", "@old.pem")
    #expect(refusal(try openssl.text("old.pem"), "secret") == .notEncrypted)
    try openssl.run(
      "pkey", "-in", "@key.pem", "-traditional", "-aes256", "-passout", "pass:secret", "-out", "@old.pem")
    #expect(refusal(try openssl.text("old.pem"), "secret") == .unsupported)
  }

  @Test("keys of other kinds and short keys are refused")
  func otherKinds() throws {
    for (algorithm, option, expected): (String, String, KeyError) in [
      ("EC", "ec_paramgen_curve:P-384", .unsupported), ("RSA", "rsa_keygen_bits:1024", .weak(bits: 1024)),
      ("RSA-PSS", "rsa_keygen_bits:2048", .unsupported),
    ] {
      try openssl.generate(algorithm, option)
      #expect(refusal(try seal(), "secret") == expected)
    }
  }

  @Test("every part and every flipped byte of an encrypted key is a key or refused", arguments: schemes)
  func hostileBytes(_ scheme: SignatureScheme) throws {
    let sealed = Array(try cheaplySealed(scheme).utf8)
    for count in 0..<sealed.count - 1 {
      #expect(refusal(String(decoding: sealed.prefix(count), as: UTF8.self), "secret") == .badKey)
    }
    for index in stride(from: 0, to: sealed.count, by: Self.step(scheme)) {
      var other = sealed
      other[index] ^= 1
      _ = refusal(String(decoding: other, as: UTF8.self), "secret")
    }
  }

  @Test(
    "damage that decrypts is found in the keys with parts that must fit",
    arguments: [SignatureScheme.ecdsaP256, .rsaPSS])
  func damage(_ scheme: SignatureScheme) throws {
    let text = try cheaplySealed(scheme)
    try openssl.run("asn1parse", "-in", "@sealed.pem", "-out", "@sealed.der")
    let contents = try openssl.scratch.read("sealed.der")
    #expect(refusal(pem("ENCRYPTED PRIVATE KEY", contents), "secret") == nil)
    let expected = try PrivateKey(encryptedPEM: text, passphrase: Array("secret".utf8)).publicText()
    for index in stride(from: 0, to: contents.count, by: Self.step(scheme)) {
      var other = contents
      other[index] ^= 0x10
      do throws(KeyError) {
        let key = try PrivateKey(
          encryptedPEM: pem("ENCRYPTED PRIVATE KEY", other), passphrase: Array("secret".utf8))
        let found = try key.publicText()
        #expect(found == expected, "byte \(index)")
      } catch {}
    }
  }

  /// Long keys take long to check, so only some of their bytes are tried.
  private static func step(_ scheme: SignatureScheme) -> Int { scheme == .rsaPSS ? 13 : 1 }

  /// `key.pem`, encrypted with one round so that it opens in no time.
  private func seal() throws -> String {
    try openssl.run(
      "pkcs8", "-topk8", "-in", "@key.pem", "-v2", "aes-256-cbc", "-iter", "1", "-passout", "pass:secret",
      "-out", "@sealed.pem")
    return try openssl.text("sealed.pem")
  }

  private func cheaplySealed(_ scheme: SignatureScheme) throws -> String {
    try openssl.generate(scheme)
    return try seal()
  }
}
