package import Crypto
package import Platform

/// What staging holds, by digest, so that what a plan does not want can be removed; and what it is not to hold again.
extension Staging {
  /// The first `limit` of the digests after `last` that names here begin with, in their order.
  package func digests(after last: Digest?, limit: Int) throws(Failure) -> [Digest] {
    var found: [Digest] = []
    func shorten() {
      found.sort()
      var distinct: [Digest] = []
      for digest in found where distinct.count < limit && distinct.last != digest { distinct.append(digest) }
      found = distinct
    }
    try directory.forEachName { (name) throws(Failure) in
      guard let digest = Staging.digest(ofName: name), last.map({ $0 < digest }) ?? true else { return }
      found.append(digest)
      if found.count == 2 * limit { shorten() }
    }
    shorten()
    return found
  }

  static func digest(ofName name: String) -> Digest? {
    Digest(hex: name.parts(separatedBy: ".", limit: 2)[0])
  }

  // MARK: - Containers that make the wrong file

  /// The containers that are noted, `limit` of them at most.
  package func unusable(limit: Int) throws(Failure) -> [Digest] {
    var heads: [Digest] = []
    try directory.forEachName { (name) throws(Failure) in
      let parts = name.parts(separatedBy: ".")
      guard parts.count == 2, parts[1] == "unusable", let head = Digest(hex: parts[0]) else { return }
      if heads.count < limit { heads.append(head) }
    }
    return heads
  }
}
