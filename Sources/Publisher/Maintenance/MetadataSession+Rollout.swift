internal import MapModel
internal import Releases

/// The rollout of a release.
extension MetadataSession {
  /// Changes the percentage of devices that a release is offered to.
  package mutating func setRollout(_ label: String, to percent: UInt64) throws(PublisherError)
    -> ChangeOutcome
  {
    var releases = try releases()
    guard let index = releases.firstIndex(where: { Identifier.isSame($0.label, label) }) else {
      throw .label(.unknown(label, path: repository.path))
    }
    guard releases[index].recall == nil else { throw .label(.recalled(label, path: repository.path)) }
    releases[index].rollout = min(percent, 100)
    return try publish(releases)
  }
}
