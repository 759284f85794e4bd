package import Crypto
internal import JSONReading
package import Platform
internal import Trust

/// A public key as it is listed in a root: `{"keytype": …, "keyval": {"public": …}, "scheme": …}`.
package struct MetadataKey: Equatable, Sendable {
  /// The SHA-256 of the key's canonical JSON, in hexadecimal digits (TUF 1.0, section 4.2).
  package let id: String
  package let scheme: SignatureScheme
  /// `keyval.public`, see `Crypto.PublicKey`.
  package let text: String

  /// A key made here; its id follows from its content.
  init(_ scheme: SignatureScheme, text: String) throws(PublisherError) {
    self.scheme = scheme
    self.text = text
    id = try MetadataKey.id(of: MetadataKey.json(scheme, text: text))
  }

  /// A key as a root lists it, with the id that it has there; nil if its type is unknown.
  init?(_ key: Trust.Key) {
    guard let scheme = key.scheme else { return nil }
    self.scheme = scheme
    text = key.text
    id = key.id.text
  }

  /// The part of the id that is shown, and is in the name of its private file.
  package var shortID: String { MetadataKey.short(id) }

  package static func short(_ id: String) -> String { String(decoding: id.utf8.prefix(16), as: UTF8.self) }

  /// Whether `signature` is one of this key.
  func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    do throws(KeyError) {
      return try PublicKey(scheme, text: text).verifies(signature, of: message.span.bytes)
    } catch { return false }
  }

  package var json: JSON { MetadataKey.json(scheme, text: text) }

  private static func json(_ scheme: SignatureScheme, text: String) -> JSON {
    var value = JSON()
    value.add("public", text)
    var json = JSON()
    json.add("keytype", scheme.keytype)
    json.add("keyval", value)
    json.add("scheme", scheme.name)
    return json
  }

  private static func id(of json: JSON) throws(PublisherError) -> String {
    let canonical: [UInt8]
    do throws(JSONError) { canonical = try JSONValue(parsing: Array(json.text.utf8)).canonical } catch {
      throw .repository(.metadata(.malformed(file: "a public key", .json(error))))
    }
    do throws(HasherError) { return try Hasher.digest(of: canonical.span.bytes).hex } catch {
      throw .library(.hashing(path: "a public key"))
    }
  }
}
