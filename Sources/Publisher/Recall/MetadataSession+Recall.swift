internal import MapModel
internal import Releases

extension MetadataSession {
  /// Takes a release back: devices do not take it any more, and those that have it leave it.
  ///
  /// Devices of a version that does not know recalls do not take it either.
  mutating func recall(_ label: String, as recall: Recall) throws(PublisherError) -> ChangeOutcome {
    var releases = try releases()
    let index = try index(of: label, in: releases)
    var recall = recall
    recall.back = releases[index].recall?.back
    releases[index].recall = recall
    releases[index].rollout = 0
    return try publish(releases)
  }

  /// Lists the catalogs by which devices go back, of recalled releases by their numbers.
  mutating func setWaysBack(_ ways: [UInt64: CatalogedRelease]) throws(PublisherError) -> ChangeOutcome {
    var releases = try releases()
    for index in releases.indices {
      if let back = ways[releases[index].number] { releases[index].recall?.back = back }
    }
    return try publish(releases)
  }
}
