internal import MapModel
package import Releases

/// Why the keys of a role cannot be changed as requested.
package enum KeyChangeError: Error, Equatable {
  case alreadyListed(role: String, id: String)
  /// No key's id begins with these digits; without digits, the role has no key.
  case unknown(role: String, String)
  /// Several keys' ids begin with these digits.
  case ambiguous(role: String, String)
  case idTooShort(String)
  case badThreshold(role: String, threshold: Int, keys: Int)
  /// The change would also publish these releases, or roll-outs, which wait for signatures.
  case publishesPending([ServedRelease])

  /// What happened, and what to do next.
  package var sentence: String {
    switch self {
    case .alreadyListed(let role, let id):
      "The \(role) key \(MetadataKey.short(id)) is already listed. Add another key."
    case .unknown(let role, let prefix) where prefix.isEmpty:
      "The role \(role) has no key. \"tinypublish key add\" adds one."
    case .unknown(let role, let prefix):
      "The role \(role) has no key whose id begins with \(prefix). \"tinypublish key list\" shows them."
    case .ambiguous(let role, let prefix) where prefix.isEmpty:
      "The role \(role) has several keys. Name one of them; \"tinypublish key list\" shows them."
    case .ambiguous(let role, let prefix):
      "The role \(role) has several keys whose ids begin with \(prefix). Give more digits."
    case .idTooShort(let prefix):
      "\"\(prefix)\" is too short: give at least eight digits of the key's id."
    case .badThreshold(let role, let threshold, let keys):
      """
      The role \(role) would have \(keys) keys and need the signatures of \(threshold). Add a key first, or choose \
      another --threshold.
      """
    case .publishesPending(let releases):
      """
      \(releases.map { "\($0.release.text), for \($0.rollout) % of the devices," }.joined(separator: " and ")) \
      \(releases.count == 1 ? "waits" : "wait") for signatures, and the new keys would publish that, too. Nothing was changed. \
      Publish it first with "tinypublish sign import", or repeat the command with --with-pending to publish both.
      """
    }
  }
}
