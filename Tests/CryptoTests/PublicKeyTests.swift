import Crypto
import TestSupport
import Testing

@Suite("Public keys")
struct PublicKeyTests {
  private let openssl: OpenSSL

  init() throws { openssl = try OpenSSL() }

  @Test("a key is the same key however its PEM is written")
  func spellings() throws {
    try openssl.generate(.ecdsaP256)
    try openssl.run("pkey", "-pubin", "-in", "@public.pem", "-outform", "DER", "-out", "@public.der")
    let contents = try openssl.scratch.read("public.der")
    let text = try openssl.text("public.pem")
    let expected = try Hasher.digest(of: contents.span.bytes)
    try openssl.run(
      "ec", "-pubin", "-in", "@public.pem", "-conv_form", "compressed", "-pubout", "-out", "@short.pem")
    #expect(try openssl.text("short.pem") != text)
    let spellings = [
      text, String(text.dropLast()), "\n " + text + " \r\n\t\n", pem("PUBLIC KEY", contents, end: "\r\n"),
      pem("PUBLIC KEY", contents, width: 20), pem("PUBLIC KEY", contents, width: 76),
      try openssl.text("short.pem"),
    ]
    for text in spellings {
      let identity = try PublicKey(.ecdsaP256, text: text).identity
      #expect(identity == expected, "\(text)")
    }
  }

  @Test("ed25519 keys are distinguished, and upper case does not matter")
  func digits() throws {
    let text = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    let identity = try PublicKey(.ed25519, text: text).identity
    let same = try PublicKey(.ed25519, text: text.uppercased()).identity
    let other = try PublicKey(.ed25519, text: "00" + text.dropFirst(2)).identity
    #expect(identity == same)
    #expect(identity != other)
    for text in ["", String(text.dropLast()), String(text.dropLast(2)), text + "00", text + "\n", "x" + text]
    {
      #expect(refusal(.ed25519, text) == .badKey)
    }
  }

  @Test(
    "a key of another kind than its scheme says is refused",
    arguments: [
      ("EC", "ec_paramgen_curve:P-384"), ("EC", "ec_paramgen_curve:P-521"),
      ("EC", "ec_paramgen_curve:secp256k1"),
      ("RSA-PSS", "rsa_keygen_bits:2048"), ("X25519", nil), ("ED25519", nil),
    ] as [(String, String?)])
  func otherKinds(_ algorithm: String, _ option: String?) throws {
    if let option {
      try openssl.generate(algorithm, option)
    } else {
      try openssl.run("genpkey", "-algorithm", algorithm, "-out", "@key.pem")
      try openssl.run("pkey", "-in", "@key.pem", "-pubout", "-out", "@public.pem")
    }
    let text = try openssl.text("public.pem")
    #expect(refusal(.ecdsaP256, text) == .unsupported)
    #expect(refusal(.rsaPSS, text) == .unsupported)
    #expect(refusal(.ed25519, text) == .badKey)
  }

  @Test("schemes are not mixed up")
  func mixed() throws {
    try openssl.generate(.ecdsaP256)
    #expect(refusal(.rsaPSS, try openssl.text("public.pem")) == .unsupported)
    try openssl.generate(.rsaPSS)
    #expect(refusal(.ecdsaP256, try openssl.text("public.pem")) == .unsupported)
  }

  @Test("a curve that is written as its parameters is refused")
  func explicitCurve() throws {
    try openssl.generate(.ecdsaP256)
    try openssl.run(
      "ec", "-pubin", "-in", "@public.pem", "-param_enc", "explicit", "-pubout", "-out", "@long.pem")
    #expect(refusal(.ecdsaP256, try openssl.text("long.pem")) == .unsupported)
  }

  @Test("a short RSA key that openssl made is refused")
  func shortRSA() throws {
    try openssl.generate("RSA", "rsa_keygen_bits:1024")
    #expect(refusal(.rsaPSS, try openssl.text("public.pem")) == .weak(bits: 1024))
  }

  @Test("RSA keys have 2048 to 8192 bits")
  func sizes() {
    for (bits, expected): (Int, KeyError?) in [
      (512, .weak(bits: 512)), (2040, .weak(bits: 2040)), (2048, nil), (3072, nil), (8192, nil),
      (8200, .tooLarge(bits: 8200)), (65_536, .tooLarge(bits: 65_536)),
    ] {
      #expect(refusal(.rsaPSS, PublicKeyTests.rsa(bits: bits, exponent: [1, 0, 1])) == expected, "\(bits)")
    }
  }

  @Test("an RSA exponent is odd, at least 3 and has at most 64 bits")
  func exponents() {
    for (exponent, expected): ([UInt8], KeyError?) in [
      ([3], nil), ([1, 0, 1], nil), ([0] + [UInt8](repeating: 255, count: 8), nil),
      ([0], .badExponent), ([1], .badExponent), ([2], .badExponent), ([1, 0, 0], .badExponent),
      ([1, 0, 0, 0, 0, 0, 0, 0, 1], .badExponent), ([UInt8](repeating: 127, count: 256), .badExponent),
    ] {
      #expect(refusal(.rsaPSS, PublicKeyTests.rsa(bits: 2048, exponent: exponent)) == expected, "\(exponent)")
    }
  }

  @Test("a text that is more than one block, or no block of a public key, is refused")
  func otherTexts() throws {
    try openssl.generate(.ecdsaP256)
    let text = try openssl.text("public.pem")
    try openssl.run("pkey", "-pubin", "-in", "@public.pem", "-outform", "DER", "-out", "@public.der")
    let contents = try openssl.scratch.read("public.der")
    let encrypted = text.replacing(
      "KEY-----\nM",
      with: "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF\n\nM")
    let texts = [
      "", "\n", "x", text + text, text + "x", text + "\0", "x\n" + text, "Subject\n" + text, encrypted,
      pem("PRIVATE KEY", contents), pem("CERTIFICATE", contents), pem("EC PUBLIC KEY", contents),
      pem("PUBLIC KEY", contents + [0]), pem("PUBLIC KEY", []), pem("PUBLIC KEY", Array(contents.dropLast())),
      text + String(repeating: " ", count: 16 << 10), String(repeating: " ", count: 16 << 10) + text,
      try openssl.text("key.pem"),
    ]
    for text in texts { #expect(refusal(.ecdsaP256, text) == .badKey, "\(text)") }
  }

  @Test(
    "every part and every flipped byte of a PEM is a key or refused",
    arguments: [SignatureScheme.ecdsaP256, .rsaPSS])
  func hostileText(_ scheme: SignatureScheme) throws {
    try openssl.generate(scheme)
    let text = Array(try openssl.text("public.pem").utf8)
    for count in 0..<text.count - 1 {
      #expect(
        refusal(scheme, String(decoding: text.prefix(count), as: UTF8.self)) == .badKey, "\(count) bytes")
    }
    for index in text.indices {
      for bit in 0..<8 {
        var other = text
        other[index] ^= 1 << bit
        _ = refusal(scheme, String(decoding: other, as: UTF8.self))
      }
    }
  }

  @Test(
    "every part and every flipped bit of a key's DER is a key or refused",
    arguments: [SignatureScheme.ecdsaP256, .rsaPSS])
  func hostileContents(_ scheme: SignatureScheme) throws {
    try openssl.generate(scheme)
    try openssl.run("pkey", "-pubin", "-in", "@public.pem", "-outform", "DER", "-out", "@public.der")
    let contents = try openssl.scratch.read("public.der")
    for count in 0..<contents.count {
      #expect(refusal(scheme, pem("PUBLIC KEY", Array(contents.prefix(count)))) != nil, "\(count) bytes")
    }
    let signature = try openssl.sign([1, 2, 3], scheme)
    for index in contents.indices {
      for bit in 0..<8 {
        var other = contents
        other[index] ^= 1 << bit
        do throws(KeyError) {
          let key = try PublicKey(scheme, text: pem("PUBLIC KEY", other))
          let isTrue = key.verifies(signature, of: [1, 2, 3].span.bytes)
          #expect(!isTrue, "byte \(index), bit \(bit)")
        } catch {}
      }
    }
  }

  /// The PEM of an RSA key with an odd modulus, which has no private key.
  private static func rsa(bits: Int, exponent: [UInt8]) -> String {
    let modulus = [0] + [UInt8](repeating: 0xa5, count: bits / 8)
    let key = element(0x30, element(2, modulus) + element(2, exponent))
    let rsaEncryption: [UInt8] = [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 0x05, 0]
    return pem("PUBLIC KEY", element(0x30, element(0x30, rsaEncryption) + element(3, [0] + key)))
  }

  /// Tag, length and contents of DER.
  private static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    let count = contents.count
    let length: [UInt8] =
      count < 128
      ? [UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 255)]
    return [tag] + length + contents
  }
}
