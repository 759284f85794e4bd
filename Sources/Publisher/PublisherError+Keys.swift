internal import Crypto

/// Sentences about keys and signatures.
extension PublisherError {
  var keySentence: String {
    switch self {
    case .key(let path, let error): "\(path): \(error.sentence)"
    case .openKey(let path):
      "\(path) can be read by others than its owner. Make a new key, or \"chmod 600\" it."
    case .openPassphrase(let path):
      "\(path) can be read by others than its owner. \"chmod 600\" it."
    case .misnamedKey(let path): "\(path) is not the key that its name says. Restore it from a copy."
    case .keysInside(let path):
      "\(path) lies in the repository, which is served to everybody. Choose another directory with --keys."
    case .keysElsewhere(let role, let found, let threshold, let path):
      """
      \(path) has \(found) of the \(threshold) \(role) keys that have to sign. Bring the others here, or name their \
      directory with --keys.
      """
    case .noPassphrase:
      """
      The passphrase of the keys is needed, and there is no terminal to ask on. Name a file that holds it with \
      --passphrase-file or TINYPUBLISH_PASSPHRASE_FILE.
      """
    case .passphrasesDiffer: "The two passphrases differ. No key was made; repeat the command."
    case .noKeys(let role, let path):
      "\(path) has no \(role) keys. Name the directory of the keys with --keys."
    case .badPublicKey(let path):
      """
      \(path) is no public key: a file that "tinypublish key make" wrote, PEM, or 64 digits of an ed25519 key were \
      expected.
      """
    default: ""
    }
  }

  var keyListSentence: String {
    switch self {
    case .keyListed(let role, let id): "The \(role) key \(MetadataKey.short(id)) is listed already."
    case .noSuchKey(let role, let prefix) where prefix.isEmpty: "The role \(role) has no key."
    case .noSuchKey(let role, let prefix):
      "The role \(role) has no key whose id begins with \(prefix). \"tinypublish key list\" shows them."
    case .ambiguousKey(let role, let prefix) where prefix.isEmpty:
      "The role \(role) has several keys. Say which one; \"tinypublish key list\" shows them."
    case .ambiguousKey(let role, let prefix):
      "The role \(role) has several keys whose ids begin with \(prefix). Give more digits."
    case .shortKeyID(let prefix): "\"\(prefix)\" is too short: give eight digits of the key's id, or more."
    case .badThreshold(let role, let threshold, let keys):
      """
      The role \(role) would have \(keys) keys, of which \(threshold) would have to sign. Add a key first, or choose \
      another --threshold.
      """
    default: ""
    }
  }

  var pendingSentence: String {
    switch self {
    case .nothingPending(let path): "In \(path) nothing waits for signatures."
    case .notPending(let path):
      "\(path) is no file that the repository waits for. Export again what it waits for, and have that signed."
    case .otherContent(let path):
      """
      \(path) says something else than the file that waits for signatures. Nothing was taken from it; export again \
      and have that signed.
      """
    default: ""
    }
  }
}
