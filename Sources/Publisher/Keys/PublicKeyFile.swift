internal import Crypto
internal import Platform
internal import Trust

/// A public key that comes in a file.
extension MetadataKey {
  /// Bytes of such a file.
  private static var maximumFile: UInt64 { 16 << 10 }
  /// What stands before the 32 bytes of an ed25519 key in DER (RFC 8410).
  private static var ed25519Head: [UInt8] {
    [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]
  }

  /// Reads what `key make` writes, PEM as from `openssl pkey -pubout`, or the 64 digits of an ed25519 key.
  package init(publicKeyAt path: String) throws(PublisherError) {
    let bytes = try onFile { () throws(FileError) in
      try File(opening: path).bytes(upTo: MetadataKey.maximumFile)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let first = bytes.first { $0 > UInt8(ascii: " ") }
    let found: (scheme: SignatureScheme, text: String)?
    switch first {
    case UInt8(ascii: "{"): found = MetadataKey.read(json: bytes)
    case UInt8(ascii: "-"): found = MetadataKey.read(pem: text)
    default: found = MetadataKey.normalized(.ed25519, text.filter { !$0.isWhitespace })
    }
    guard let found else { throw .badPublicKey(path: path) }
    try self.init(found.scheme, text: found.text)
  }

  private static func read(json: [UInt8]) -> (SignatureScheme, String)? {
    do throws(JSONError) {
      let document = try JSONDocument(json)
      let key = document.root
      guard let keytype = key.member("keytype")?.text, let name = key.member("scheme")?.text,
        let scheme = SignatureScheme(keytype: keytype, scheme: name),
        let text = key.member("keyval")?.member("public")?.text
      else { return nil }
      return normalized(scheme, text)
    } catch { return nil }
  }

  private static func read(pem: String) -> (SignatureScheme, String)? {
    for scheme in [SignatureScheme.ecdsaP256, .rsaPSS] {
      if let found = normalized(scheme, pem) { return found }
    }
    let lines = pem.parts(separatedBy: "\n").map(\.trimmed).filter { !$0.isEmpty && !$0.hasPrefix("-") }
    guard let der = Base64.bytes(lines.joined()), der.starts(with: ed25519Head) else { return nil }
    return normalized(.ed25519, Hex.text(Array(der.dropFirst(ed25519Head.count))))
  }

  /// A key that verifies, in a form that does not depend on how its text was written.
  private static func normalized(_ scheme: SignatureScheme, _ text: String) -> (SignatureScheme, String)? {
    do throws(KeyError) {
      _ = try PublicKey(scheme, text: text)
    } catch { return nil }
    guard scheme != .ed25519 else { return Hex.bytes(text).map { (scheme, Hex.text($0)) } }
    let lines = text.parts(separatedBy: "\n").map(\.trimmed).filter { !$0.isEmpty }
    return (scheme, lines.joined(separator: "\n") + "\n")
  }
}

/// RFC 4648, section 4.
private enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Nil for a character that is not in the alphabet.
  static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for digit in text.utf8 where digit != UInt8(ascii: "=") {
      guard let value = alphabet.firstIndex(of: digit) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return bytes
  }
}
