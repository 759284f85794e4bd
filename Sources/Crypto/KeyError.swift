/// What is wrong with a key.
package enum KeyError: Error, Equatable {
  /// Not the text or the encoding of a key.
  case badKey
  /// A key of another kind or curve than its scheme says, or encrypted in a way that is not supported.
  case unsupported
  /// An RSA key with fewer bits than are safe.
  case weak(bits: Int)
  /// An RSA key with more bits than a device can be asked to compute with.
  case tooLarge(bits: Int)
  /// The public exponent of an RSA key is even, less than 3 or longer than 64 bits.
  case badExponent
  /// A private key that everybody can read.
  case notEncrypted
  /// Decrypted to nonsense; a damaged file looks the same.
  case wrongPassphrase
  /// A passphrase of no bytes, or of more than 1024.
  case badPassphrase
  /// libcrypto refused: out of memory, no random numbers, or the algorithm is not in this build.
  case refused

  package var sentence: String {
    switch self {
    case .badKey: "This is not a key, or it is damaged."
    case .unsupported:
      "The key is not of the kind that its scheme says, or is encrypted in an unsupported way."
    case .weak(let bits): "The RSA key has \(bits) bits; at least \(KeyHandle.minimumBits) are needed."
    case .tooLarge(let bits): "The RSA key has \(bits) bits; at most \(KeyHandle.maximumBits) are accepted."
    case .badExponent: "The public exponent of the RSA key is not safe; make a new key."
    case .notEncrypted: "The private key is not encrypted; encrypt it with a passphrase."
    case .wrongPassphrase: "The passphrase is wrong, or the private key is damaged."
    case .badPassphrase: "A passphrase has 1 to \(KeyHandle.maximumPassphrase) bytes."
    case .refused: "The cryptographic library could not do it: too little memory, or it is built without it."
    }
  }
}
