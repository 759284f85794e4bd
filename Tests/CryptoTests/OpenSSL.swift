import Crypto
import CryptoSigning
import Platform
import TestSupport
import Testing

/// The `openssl` program, and a folder for its files.
struct OpenSSL {
  let scratch: Scratch

  init() throws { scratch = try Scratch("crypto") }

  func path(_ name: String) -> String { "\(scratch.path)/\(name)" }

  func text(_ name: String) throws -> String { String(decoding: try scratch.read(name), as: UTF8.self) }

  /// Runs a command; a name that begins with `@` is one of a file in the folder.
  func run(_ words: String...) throws { try run(words) }

  func run(_ words: [String]) throws {
    let arguments = words.map { $0.first == "@" ? path(String($0.dropFirst())) : $0 }
    let outcome = try ChildProcess.run("openssl", arguments)
    try #require(outcome.status == 0, "\(words): \(outcome.error)")
  }

  /// Makes `key.pem` and `public.pem`.
  func generate(_ scheme: SignatureScheme) throws {
    switch scheme {
    case .ed25519: try run("genpkey", "-algorithm", "ED25519", "-out", "@key.pem")
    case .ecdsaP256: try generate("EC", "ec_paramgen_curve:P-256")
    case .rsaPSS: try generate("RSA", "rsa_keygen_bits:2048")
    }
    try run("pkey", "-in", "@key.pem", "-pubout", "-out", "@public.pem")
  }

  /// Makes `key.pem` and `public.pem`.
  func generate(_ algorithm: String, _ option: String) throws {
    try run("genpkey", "-algorithm", algorithm, "-pkeyopt", option, "-out", "@key.pem")
    try run("pkey", "-in", "@key.pem", "-pubout", "-out", "@public.pem")
  }

  /// The key of `public.pem` as TUF writes it.
  func publicText(_ scheme: SignatureScheme) throws -> String {
    guard scheme == .ed25519 else { return try text("public.pem") }
    try run("pkey", "-pubin", "-in", "@public.pem", "-outform", "DER", "-out", "@public.der")
    return Hex.text(Array(try scratch.read("public.der").suffix(32)))
  }

  /// Signs with `key.pem`.
  func sign(_ message: [UInt8], _ scheme: SignatureScheme, saltLength: String = "32") throws -> [UInt8] {
    try scratch.write("message", message)
    switch scheme {
    case .ed25519:
      try run("pkeyutl", "-sign", "-rawin", "-inkey", "@key.pem", "-in", "@message", "-out", "@signature")
    case .ecdsaP256: try run("dgst", "-sha256", "-sign", "@key.pem", "-out", "@signature", "@message")
    case .rsaPSS:
      try run(
        "dgst", "-sha256", "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:\(saltLength)",
        "-sign", "@key.pem", "-out", "@signature", "@message")
    }
    return try scratch.read("signature")
  }

  /// Verifies with `public.pem`, and fails if the signature is false.
  func verify(_ signature: [UInt8], of message: [UInt8], _ scheme: SignatureScheme) throws {
    try scratch.write("message", message)
    try scratch.write("signature", signature)
    switch scheme {
    case .ed25519:
      try run(
        "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", "@public.pem", "-in", "@message",
        "-sigfile", "@signature")
    case .ecdsaP256:
      try run("dgst", "-sha256", "-verify", "@public.pem", "-signature", "@signature", "@message")
    case .rsaPSS:
      try run(
        "dgst", "-sha256", "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32",
        "-verify", "@public.pem", "-signature", "@signature", "@message")
    }
  }
}

/// The error of a public key's text; nil if it is a key.
func refusal(_ scheme: SignatureScheme, _ text: String) -> KeyError? {
  do throws(KeyError) { _ = try PublicKey(scheme, text: text) } catch { return error }
  return nil
}

/// The error of a private key's text; nil if it is a key.
func refusal(_ encryptedPEM: String, _ passphrase: String) -> KeyError? {
  do throws(KeyError) {
    _ = try PrivateKey(encryptedPEM: encryptedPEM, passphrase: Array(passphrase.utf8))
  } catch { return error }
  return nil
}

/// Whether the key `text` verifies the signature.
func verifies(
  _ scheme: SignatureScheme, _ text: String, _ signature: [UInt8], of message: [UInt8]
) throws -> Bool {
  try PublicKey(scheme, text: text).verifies(signature, of: message.span.bytes)
}

/// Contents in PEM, in lines of `width` characters.
func pem(_ label: String, _ contents: [UInt8], width: Int = 64, end: String = "\n") -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var digits: [Character] = []
  for start in stride(from: 0, to: contents.count, by: 3) {
    let group = contents[start..<min(start + 3, contents.count)]
    let number = (Array(group) + [0, 0]).prefix(3).reduce(0) { $0 << 8 | Int($1) }
    for place in 0..<4 {
      digits.append(place <= group.count ? alphabet[number >> (18 - 6 * place) & 63] : "=")
    }
  }
  let lines = stride(from: 0, to: digits.count, by: width).map { start in
    String(digits[start..<min(start + width, digits.count)])
  }
  return (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----", ""]).joined(separator: end)
}
