internal import Crypto
internal import Platform
internal import Publisher
internal import Releases
internal import Trust

/// The answers of commands that change the metadata: members of their own, and then those of `Change`.
extension Answer {
  struct Change: Encodable {
    /// Devices see it; false: it waits for signatures.
    let isPublished: Bool
    let missing: [Missing]?
    let metadata: [Metadata]?
    /// Those that waited for signatures, and that devices see now.
    let releases: [Offer]

    /// A release, and the share of devices that it is for.
    struct Offer: Encodable {
      let release: UInt64
      let label: String
      let rollout: UInt64
    }

    init(_ outcome: ChangeOutcome, news: [ServedRelease], served: ServedMetadata) {
      isPublished = outcome == .published
      if case .pending(let signatures) = outcome {
        missing = signatures.map(Missing.init)
      } else {
        missing = nil
      }
      metadata = isPublished ? Metadata.all(served) : nil
      releases = news.map { Offer(release: $0.number, label: $0.label, rollout: $0.rollout) }
    }
  }

  struct Rollout: Encodable {
    let format = 1
    let label: String
    let rollout: UInt64
  }

  struct Dates: Encodable {
    let format = 1
    let label: String
    let effective: String?
    let expires: String?
  }

  struct Renewal: Encodable {
    let format = 1
    let role: String
  }

  struct Timestamp: Encodable {
    let format = 1
    /// Other metadata that expires soon.
    let expiring: [Metadata]
  }

  struct KeyChange: Encodable {
    let format = 1
    let role: String
    let added: NewKey?
    /// The id of a key.
    let removed: String?
    let threshold: Int
    let keys: Int

    struct NewKey: Encodable {
      let keyid: String
      let scheme: String
      let `public`: String
      /// Nil if the private key is elsewhere.
      let file: String?
    }

    init(_ change: Publisher.KeyChange, in store: KeyStore) throws(PublisherError) {
      role = change.role.name
      if let key = change.added {
        let path = try store.has(change.role, id: key.id) ? store.path(change.role, id: key.id) : nil
        added = NewKey(keyid: key.id, scheme: key.scheme.name, public: key.text, file: path)
      } else {
        added = nil
      }
      (removed, threshold, keys) = (change.removed, change.threshold, change.keys)
    }
  }
}
