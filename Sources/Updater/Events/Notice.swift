package import MapModel
internal import Platform
package import Store

/// Something that the user should know, although the operation continues.
package indirect enum Notice: Equatable {
  /// The installed file is damaged; a patch cannot start from it.
  case damagedBase(ComponentName)
  /// The partial download of a file, by its name in the repository, was not usable.
  case startedAgain(url: String)
  /// A file, by its name in the repository, arrived other than the publisher signed it.
  case downloadedAgain(url: String)
  /// A server of the repository, by its base URL, is skipped for ten minutes.
  case serverFailed(url: String, reason: String)
  /// The server no longer has a container, by its name in the repository; there is another payload.
  case notServed(url: String)
  /// A container, by its name in the repository, arrives other than the publisher signed it; there is another payload.
  case altered(url: String)
  /// A container is as the publisher signed it and makes another file than the catalog lists, by its name in the
  /// repository; there is another payload.
  case unusable(url: String)
  /// How an operation ended could not be written down, or what it left could not be removed.
  case endingNotRecorded(reason: String)
  /// The release no longer has the component.
  case withdrawn(ComponentName)
  /// The release has others in the place of the package.
  case replaced(Departure)
  /// The catalog of the newest release was not stored.
  case catalogNotKept(reason: String)
  /// Parts of a catalog that a question is about could not be fetched.
  case partsNotFetched(reason: String)
  /// What is to come or go because of the place of the device could not be found out or written down.
  case areaNotKnown(reason: String)
  /// The server does not give a package to this device.
  case refused(PackageID, cause: String)
  /// The installed release is no longer served: everything is updated together with the install.
  case releaseNotServed(Release, to: Release)
  /// The list of the installed maps was lost, and was rebuilt from the maps.
  case rebuilt(Release, components: Int)
  /// The maps themselves are consumed while the new ones are made, because space is low.
  case inPlace
  /// An update in place that was interrupted is finished.
  case inPlaceResumed(Release)
  /// What an update in place says of itself is lost.
  case inPlaceLost
  /// A component could not be made in place.
  case notMade(ComponentName, reason: String)
  /// Packages that are not there after an update in place; they are downloaded next.
  case owed([PackageID])
  /// What an update in place to a release takes is stored; it is carried out when it is activated.
  case stagedInPlace(Release)
  /// What stands by could not become current at a start of the device.
  case notActivated(reason: String)
  /// What stands by is removed, because space is low.
  case standbyRemoved(Release)
  /// The generations but the current one are removed, because space is low.
  case previousRemoved(freed: UInt64)
  /// The list of the installed maps is lost, and could not be rebuilt.
  case notRebuilt(reason: String)
  /// The trial of a release has failed, and the release before is gone.
  case noWayBack(Release, BlockedRelease.Reason)
  /// What is on trial or blocked could not be written down.
  case trialNotRecorded(reason: String)
  /// The health command could not be run.
  case healthUnknown(command: String, reason: String)

  /// The link to the current generation was lost, and names the newest one again.
  case relinked(Release)
  /// Nothing is left of what was installed.
  case mapsLost
  /// The file of an installed component, or its index, is damaged.
  case damaged(ComponentName, DamageNote.Part)
  /// It is made again from the previous one.
  case patchedFromPrevious(ComponentName)
  /// What was verified could not be written down.
  case notNoted(reason: String)
  /// More is damaged than can be noted.
  case moreDamaged

  package var sentence: String {
    switch self {
    case .damagedBase(let name): "the installed \(name.path) is damaged and is downloaded in full"
    case .startedAgain(let url): "the partial download of \(url) is damaged; downloading it again"
    case .downloadedAgain(let url): "\(url) arrived damaged; downloading it again"
    case .serverFailed(let url, let reason): "\(url) is skipped for 10 minutes: \(reason)"
    case .notServed(let url): "\(url) is no longer on the server; using another download"
    case .altered(let url):
      "\(url) arrives damaged each time; using another download, tell the publisher if that goes on"
    case .unusable(let url):
      "\(url) does not produce the right file; using another download, tell the publisher"
    case .endingNotRecorded(let reason): "the result of the operation could not be recorded: \(reason)"
    case .withdrawn(let name): "\(name.path) is no longer part of the release and is removed"
    case .replaced(let departure): departure.sentence
    case .catalogNotKept(let reason): "the list of the newest release could not be stored: \(reason)"
    case .partsNotFetched(let reason):
      "some packages are not listed, because their list could not be fetched: \(reason)"
    case .areaNotKnown(let reason): "the maps around the device stay as they are: \(reason)"
    case .refused(let id, let cause): "this device does not get \(id.text): \(cause)"
    case .relinked(let release):
      "the link to the installed maps was lost and names the newest ones again: \(release.text)"
    case .mapsLost:
      "no generation of the maps can be used any more; \"tinyupdater install ID…\" downloads them again"
    case .damaged(let name, let part): "maps/\(part == .index ? name.indexPath : name.path) is damaged"
    case .patchedFromPrevious(let name):
      "the installed \(name.path) is damaged and is made again from the previous one"
    case .notNoted(let reason):
      "the findings could not be saved, so later commands do not know them: \(reason)"
    case .moreDamaged: "more is damaged than one repair mends; run \"tinyupdater repair\" again afterwards"
    case .rebuilt(let release, let count):
      "the list of the \(count) installed components of \(release.text) was lost and has been rebuilt from the maps"
    case .previousRemoved(let freed):
      "there is not enough space beside the previous maps: they are removed first (\(ByteCount(freed).text)), and "
        + "\"rollback\" has nothing to go back to until this is done"
    case .stagedInPlace(let release):
      "there is not enough space beside the maps: all downloads of \(release.text) are stored, and \"tinyupdater "
        + "activate\" makes its maps in the place of the installed ones, which takes a while"
    case .notActivated(let reason):
      "what is staged could not be activated, and the next start tries it again: \(reason)"
    case .standbyRemoved(let release):
      "there is not enough space beside \(release.text), which is staged: it is removed, and has to be staged again"
    case .inPlace:
      "there is not enough space beside the maps: they are replaced in place, and those that change are not there until "
        + "it is done"
    case .inPlaceResumed(let release): "the update in place to \(release.text) is resumed"
    case .inPlaceLost:
      "the update in place cannot go on: what is whole of the maps before is used, and the rest is downloaded"
    case .notMade(let name, let reason): "\(name.path) could not be made: \(reason)"
    case .owed(let ids):
      "\(ids.map { $0.text }.listed) \(ids.count == 1 ? "is" : "are") missing and will be downloaded in full"
    case .notRebuilt(let reason): "the list of the installed maps is lost and cannot be rebuilt: \(reason)"
    case .noWayBack(let release, let reason):
      "\(release.text) stays although its trial has failed (\(reason.sentence)): the maps before are gone"
    case .trialNotRecorded(let reason):
      "what is on trial or blocked could not be recorded (\(reason)); a start may not be counted, or a release that "
        + "failed may be installed again"
    case .healthUnknown(let command, let reason):
      "the health command \(command) could not be run (\(reason)); the trial continues, correct health_command"
    case .releaseNotServed(let from, let to):
      "\(from.text) is no longer served: all maps are updated to \(to.text) together with the install"
    }
  }

  /// The component that it is about, if it is about one.
  package var name: ComponentName? {
    switch self {
    case .damagedBase(let name), .withdrawn(let name), .damaged(let name, _), .patchedFromPrevious(let name),
      .notMade(let name, _):
      name
    case .startedAgain, .downloadedAgain, .serverFailed, .notServed, .altered, .unusable, .endingNotRecorded,
      .catalogNotKept, .replaced,
      .partsNotFetched, .areaNotKnown, .refused,
      .releaseNotServed,
      .rebuilt, .stagedInPlace, .notActivated, .standbyRemoved, .previousRemoved, .notRebuilt, .relinked,
      .mapsLost,
      .notNoted, .moreDamaged, .inPlace,
      .inPlaceResumed, .inPlaceLost, .owed, .noWayBack, .trialNotRecorded, .healthUnknown:
      nil
    }
  }
}
