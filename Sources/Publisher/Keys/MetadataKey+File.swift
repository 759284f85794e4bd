internal import Crypto
internal import CryptoSigning
internal import JSONReading
internal import Platform
internal import Trust

/// Public keys in files.
extension MetadataKey {
  /// Reads what `key make` writes, PEM as from `openssl pkey -pubout`, or the 64 digits of an ed25519 key.
  package init(publicKeyAt path: String) throws(PublisherError) {
    let bytes = try onFile { () throws(Failure) in
      try File(opening: path).bytes(upTo: PublisherLimits.keyFile)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let first = bytes.first { $0 > UInt8(ascii: " ") }
    let found: (scheme: SignatureScheme, text: String)?
    switch first {
    case UInt8(ascii: "{"): found = MetadataKey.read(json: bytes)
    case UInt8(ascii: "-"): found = MetadataKey.read(pem: text)
    default: found = MetadataKey.read(digits: text.filter { !$0.isWhitespace })
    }
    guard let found else { throw .keys(.notAPublicKey(path: path)) }
    try self.init(found.scheme, text: found.text)
  }

  private static func read(json: [UInt8]) -> (SignatureScheme, String)? {
    do throws(JSONError) {
      let key = try JSONValue(parsing: json)
      guard let keytype = key.member("keytype")?.text, let name = key.member("scheme")?.text,
        let scheme = SignatureScheme(keytype: keytype, scheme: name),
        let text = key.member("keyval")?.member("public")?.text
      else { return nil }
      return scheme == .ed25519 ? read(digits: text) : read(pem: text)
    } catch { return nil }
  }

  private static func read(pem: String) -> (SignatureScheme, String)? {
    do throws(KeyError) {
      let key = try PublicKeyText(pem: pem)
      return (key.scheme, key.text)
    } catch { return nil }
  }

  private static func read(digits: String) -> (SignatureScheme, String)? {
    do throws(KeyError) { _ = try PublicKey(.ed25519, text: digits) } catch { return nil }
    return Hex.bytes(digits).map { (.ed25519, Hex.text($0)) }
  }
}
