internal import MapModel
internal import Releases

/// For which devices a release is, and when.
extension MetadataSession {
  /// Changes the percentage of devices that a release is offered to.
  package mutating func setRollout(_ label: String, to percent: UInt64) throws(PublisherError)
    -> ChangeOutcome
  {
    var releases = try releases()
    let index = try index(of: label, in: releases)
    guard releases[index].recall == nil else { throw .label(.recalled(label, path: repository.path)) }
    releases[index].rollout = min(percent, 100)
    return try publish(releases)
  }

  /// Changes from when on and until when the maps of a release are to be used, in seconds since 1970.
  ///
  /// - `effective`: nil: it stays; nil in it: from now on. `expires` in the same way: never.
  package mutating func setDates(
    of label: String, effective: Int64??, expires: Int64??
  ) throws(PublisherError) -> ChangeOutcome {
    var releases = try releases()
    let index = try index(of: label, in: releases)
    if let effective { releases[index].effective = effective }
    if let expires { releases[index].expires = expires }
    if let effective = releases[index].effective, let expires = releases[index].expires, expires <= effective
    {
      throw .label(.expiresFirst(label, expires: expires, effective: effective))
    }
    return try publish(releases)
  }

  /// The place of the release with this label.
  func index(of label: String, in releases: [ServedRelease]) throws(PublisherError) -> Int {
    guard let index = releases.firstIndex(where: { Identifier.isSame($0.label, label) }) else {
      throw .label(.unknown(label, path: repository.path))
    }
    return index
  }
}
