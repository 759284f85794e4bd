/// Why the program asks for a passphrase.
package enum PassphrasePurpose: Equatable, Sendable {
  /// To decrypt existing keys.
  case unlock
  /// To encrypt new keys: a typing error would lock them for ever.
  case create
}
