package import Crypto
import CryptoSigning
package import JSONReading
import Platform

/// A key pair of a test's publisher, or of its thief.
package final class SigningKey {
  package let id: String
  /// As metadata lists it.
  package let tree: JSONTree
  private let key: PrivateKey

  package init(_ scheme: SignatureScheme = .ed25519) throws {
    let key = try PrivateKey.generate(scheme)
    tree = [
      "keytype": .text(scheme.keytype), "scheme": .text(scheme.name),
      "keyval": ["public": .text(try key.publicText())],
    ]
    let bytes = try canonical(tree)
    id = try Hasher.digest(of: bytes.span.bytes).hex
    self.key = key
  }

  /// One element of `signatures`, over the canonical form of `signed`.
  package func signature(of signed: JSONTree, id: String? = nil) throws -> JSONTree {
    let message = try canonical(signed)
    let bytes = try key.sign(message.span.bytes)
    return ["keyid": .text(id ?? self.id), "sig": .text(Hex.text(bytes))]
  }
}

/// The bytes that are signed.
///
/// What is too large for the program's own parser has to be signed, too: without line feeds in it, its text is its
/// canonical form.
package func canonical(_ tree: JSONTree) throws(JSONError) -> [UInt8] {
  let text = Array(tree.json.utf8)
  do throws(JSONError) { return try JSONValue(parsing: text).canonical } catch {
    guard error == .outOfMemory else { throw error }
    return text
  }
}
