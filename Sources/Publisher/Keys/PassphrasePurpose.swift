/// Why a passphrase is asked for.
package enum PassphrasePurpose: Equatable, Sendable {
  /// To decrypt existing keys.
  case unlock
  /// To encrypt new keys: a typing error would lock them for ever.
  case create
}
