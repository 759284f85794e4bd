/// How the network is used.
package struct TransportSettings: Equatable {
  /// The file of certificate authorities in PEM; nil: the system's.
  package var certificateAuthorities: String?
  /// How often a request is tried again before it fails.
  package var retries = 5
  /// Milliseconds before the first retry; each further one waits about twice as long, at most a minute.
  package var retryDelay: UInt64 = 1000
  /// Seconds that making a connection may take.
  package var connectTimeout = 15
  /// Seconds after which a transfer of less than 100 bytes a second counts as broken.
  package var stallTimeout = 30
  /// Milliseconds that all answers to one request may take, beside a second for each KiB of its body.
  package var patience: UInt64 = 300_000

  package init() {}
}
