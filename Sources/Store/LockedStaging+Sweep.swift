package import Crypto
package import Platform

extension LockedStaging {
  /// Removes everything whose name begins with one of `digests`, which are in order, or with no digest at all.
  package func remove(_ digests: [Digest]) throws(Failure) {
    try reading.directory.removeTrees { name in
      Staging.digest(ofName: name).map { digests.place(of: $0) != nil } ?? true
    }
  }

  /// Notes that a container does not make what it should, by the digest of its head.
  package func note(unusable head: Digest) throws(Failure) {
    try reading.directory.open(head.hex + ".unusable", to: .replace).close()
  }
}
