package import MapModel
internal import Platform

/// Something that the user should know, although the operation continues.
package enum Notice: Equatable {
  /// The installed file is damaged; a patch cannot start from it.
  case damagedBase(ComponentName)
  /// The partial download of a file, by its name in the repository, was not usable.
  case startedAgain(url: String)
  /// The server no longer has a container, by its name in the repository; there is another payload.
  case notServed(url: String)
  /// A container is as the publisher signed it and makes another file than the catalog lists, by its name in the
  /// repository; there is another payload.
  case unusable(url: String)
  /// How an operation ended could not be written down, or what it left could not be removed.
  case endingNotRecorded(reason: String)
  /// The release no longer has the component.
  case withdrawn(ComponentName)
  /// The catalog of the newest release was not stored.
  case catalogNotKept(reason: String)
  /// The installed release is no longer served: everything is updated together with the install.
  case releaseNotServed(Release, to: Release)
  /// The list of the installed maps was lost, and was rebuilt from the maps.
  case rebuilt(Release, components: Int)
  /// The generations but the current one are removed, because space is low.
  case previousRemoved(freed: UInt64)
  /// The list of the installed maps is lost, and could not be rebuilt.
  case notRebuilt(reason: String)

  package var sentence: String {
    switch self {
    case .damagedBase(let name): "the installed \(name.path) is damaged and is downloaded in full"
    case .startedAgain(let url): "the partial download of \(url) is damaged; downloading it again"
    case .notServed(let url): "\(url) is no longer on the server; using another download"
    case .unusable(let url):
      "\(url) does not produce the right file; using another download, tell the publisher"
    case .endingNotRecorded(let reason): "the result of the operation could not be recorded: \(reason)"
    case .withdrawn(let name): "\(name.path) is no longer part of the release and is removed"
    case .catalogNotKept(let reason): "the list of the newest release could not be stored: \(reason)"
    case .rebuilt(let release, let count):
      "the list of the \(count) installed components of \(release.text) was lost and has been rebuilt from the maps"
    case .previousRemoved(let freed):
      "there is not enough space beside the previous maps: they are removed first (\(ByteCount(freed).text)), and "
        + "\"rollback\" has nothing to go back to until this is done"
    case .notRebuilt(let reason): "the list of the installed maps is lost and cannot be rebuilt: \(reason)"
    case .releaseNotServed(let from, let to):
      "\(from.text) is no longer served: all maps are updated to \(to.text) together with the install"
    }
  }

  /// The component that it is about, if it is about one.
  package var name: ComponentName? {
    switch self {
    case .damagedBase(let name), .withdrawn(let name): name
    case .startedAgain, .notServed, .unusable, .endingNotRecorded, .catalogNotKept, .releaseNotServed,
      .rebuilt, .previousRemoved, .notRebuilt:
      nil
    }
  }
}
