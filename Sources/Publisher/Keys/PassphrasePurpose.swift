/// What a passphrase is asked for.
package enum PassphrasePurpose: Equatable, Sendable {
  /// Keys that are there.
  case unlock
  /// Keys that are made: a slip of the finger would lock them for ever.
  case create
}
