internal import CCrypto
package import Crypto

/// A public key as TUF metadata lists it.
package struct PublicKeyText {
  package let scheme: SignatureScheme
  /// The member `keyval.public`, see `PublicKey`.
  package let text: String

  /// Reads a key of any supported kind in PEM, such as `openssl pkey -pubout` writes.
  package init(pem: String) throws(KeyError) {
    defer { ERR_clear_error() }
    let handle = try KeyHandle(publicKeyPEM: pem)
    guard let scheme = handle.scheme else { throw .unsupported }
    try handle.check(as: scheme)
    self.scheme = scheme
    text = try handle.publicText(scheme)
  }
}
