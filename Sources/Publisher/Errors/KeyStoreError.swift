package import Crypto

/// What is wrong with the private keys or their passphrase.
package enum KeyStoreError: Error, Equatable {
  /// A private key cannot be read or used.
  case unusable(path: String, KeyError)
  case keyReadableByOthers(path: String)
  case passphraseReadableByOthers(path: String)
  /// A private key whose id is not the one in its name.
  case misnamed(path: String)
  /// The web server would serve the keys with the repository.
  case insideRepository(path: String)
  case noPassphrase
  case passphrasesDiffer
  /// The directory has no key of a role.
  case noKeys(role: String, path: String)
  case notAPublicKey(path: String)
  /// The command of `--signer` failed: how, and the last lines that it wrote.
  case signerFailed(id: String, String, said: String)
  /// The command of `--signer` answered something that the key does not verify.
  case wrongSignature(id: String)

  /// What happened, to which file, and what to do next.
  package var sentence: String {
    switch self {
    case .unusable(let path, let error): "\(path): \(error.sentence)\(KeyStoreError.remedy(error))"
    case .keyReadableByOthers(let path):
      "\(path) can be read by others than its owner. Make a new key, or \"chmod 600\" it."
    case .passphraseReadableByOthers(let path):
      "\(path) can be read by others than its owner. \"chmod 600\" it."
    case .misnamed(let path): "\(path) does not hold the key that it is named after. Restore it from a copy."
    case .insideRepository(let path):
      "\(path) lies in the repository, which is served to everyone. Choose another directory with --keys."
    case .noPassphrase:
      """
      The passphrase of the keys is needed, and there is no terminal to ask for it. Name a file that holds it with \
      --passphrase-file or TINYPUBLISH_PASSPHRASE_FILE.
      """
    case .passphrasesDiffer: "The two passphrases differ. No key was made; repeat the command."
    case .noKeys(let role, let path):
      "\(path) has no \(role) keys. Name the directory of the keys with --keys."
    case .signerFailed(let id, let ending, let said):
      """
      The signer \(ending) when it was to sign with key \(MetadataKey.short(id))\(said.isEmpty ? "" : " (\(said))"). \
      Devices see what they saw before. Fix the cause and repeat the command; exit code 10 of the signer says that it \
      has no such key.
      """
    case .wrongSignature(let id):
      """
      What the signer answered is not a signature of key \(MetadataKey.short(id)). Devices see what they saw before. \
      Check which key and which form it uses (ed25519: 64 bytes; ECDSA: DER; RSA: PSS with SHA-256), and repeat the \
      command.
      """
    case .notAPublicKey(let path):
      """
      \(path) is not a public key: a file that "tinypublish key make" wrote, PEM, or the 64 digits of an ed25519 key \
      were expected. Name another file.
      """
    }
  }

  /// What to do about a key that cannot be used, where its own sentence does not say it.
  private static func remedy(_ error: KeyError) -> String {
    switch error {
    case .badKey: " Restore it from a copy."
    case .unsupported, .weak, .tooLarge: " Make a new key."
    case .badExponent, .notEncrypted: ""
    case .wrongPassphrase: " Repeat the command with the right passphrase, or restore the key from a copy."
    case .badPassphrase: " Choose another passphrase."
    case .refused: " Free some memory, or check the installation of the library."
    }
  }
}
