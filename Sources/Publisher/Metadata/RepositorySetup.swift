package import Crypto
package import Trust

/// The keys and thresholds of a new repository.
package struct RepositorySetup: Sendable {
  /// The type of the keys that are made.
  package var scheme = SignatureScheme.ed25519
  /// In the order of `Root.TopLevel`: the number of keys, and how many of them must sign.
  private var quorums = Root.TopLevel.allCases.map { _ in Quorum() }
  package var validity = Validity()
  /// Seconds since 1970.
  package var now: Int64

  package struct Quorum: Equatable, Sendable {
    package var threshold: Int
    package var keys: Int

    package init(_ threshold: Int = 1, of keys: Int = 1) {
      self.threshold = threshold
      self.keys = keys
    }
  }

  package init(now: Int64) { self.now = now }

  package subscript(role: Root.TopLevel) -> Quorum {
    get { quorums[role.rawValue] }
    set { quorums[role.rawValue] = newValue }
  }
}
