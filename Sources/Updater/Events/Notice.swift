package import Catalog
package import MapModel
package import MapTree
package import Store
package import Transport

/// Told what an operation does, as it does it.
package protocol UpdateObserver: TransportObserver {
  /// An operation of the queue is carried out next.
  mutating func begins(_ operation: QueuedOperation)
  /// It has ended, or waits again.
  mutating func ended(_ work: Work)
  /// A component will be fetched after others; told of the first `Limits.componentEvents` of a plan.
  mutating func waits(_ name: ComponentName)
  /// Everything is staged; the new generation is built and switched to.
  mutating func applies()
  /// The component is part of the new generation, or not any more; told of as many.
  mutating func applied(_ name: ComponentName, isInstalled: Bool)
  /// What will be done, before the first byte.
  mutating func planned(_ plan: Plan, from: Release?, to: Release)
  /// A component's payload is fetched next; `received` then counts its bytes, those that are there already included.
  ///
  /// `left`: bytes that are not there yet.
  mutating func began(_ payload: Payload, _ name: ComponentName, size: UInt64, left: UInt64, waiting: Int)
  /// One container of the payload, of `size` bytes, is applied: `received` counts the next one from its beginning.
  mutating func advanced(by size: UInt64)
  /// The component is complete and verified.
  mutating func staged(_ name: ComponentName, size: UInt64)
  /// An index of the component is being made, beside whatever comes next.
  mutating func indexing(_ name: ComponentName)
  /// It is complete; `size` is 0 if the index command decided that there is none.
  mutating func indexed(_ name: ComponentName, size: UInt64)
  /// There is a newer release, for which the device's application is too old.
  mutating func announced(_ release: AnnouncedRelease)
  /// Something that the user should know, although the operation goes on.
  mutating func noticed(_ notice: Notice)
}

/// Something that is worth a line.
package enum Notice: Equatable {
  /// The installed file is not what it was; a patch cannot start from it.
  case damagedBase(ComponentName)
  /// What an interrupted run had left of a file, by its name in the repository, was not usable.
  case startedAgain(url: String)
  /// The server does not have a container any more, by its name in the repository; there is another way.
  case notServed(url: String)
  /// A container is as the publisher has signed it and makes another file than the catalog lists, by its name in the
  /// repository; there is another way.
  case unusable(url: String)
  /// How an operation ended could not be written down, or what it left could not be removed.
  case endingNotRecorded(reason: String)
  /// The release does not have the package any more.
  case withdrawn(ComponentName)
  /// The catalog of the newest release was not stored.
  case catalogNotKept(reason: String)
  /// The installed release cannot be installed from any more: everything is updated together with the install.
  case releaseNotServed(Release, to: Release)
  /// The list of the installed maps was lost, and was made again from the maps.
  case rebuilt(Release, components: Int)
  /// The list of the installed maps is lost, and could not be made again.
  case notRebuilt(reason: String)

  package var sentence: String {
    switch self {
    case .damagedBase(let name): "the installed \(name.path) is damaged; it is fetched in full"
    case .startedAgain(let url): "what was left of \(url) is damaged; it is fetched again"
    case .notServed(let url): "\(url) is not served any more; the maps come another way"
    case .unusable(let url):
      "\(url) does not make the file that it should; the maps come another way, tell the publisher"
    case .endingNotRecorded(let reason): "how the operation ended was not written down: \(reason)"
    case .withdrawn(let name): "\(name.path) is not part of the release any more and is removed"
    case .catalogNotKept(let reason): "the list of the newest release was not kept: \(reason)"
    case .rebuilt(let release, let count):
      "the list of the \(count) installed components of \(release.text) was lost, and was made again from the maps"
    case .notRebuilt(let reason): "the list of the installed maps is lost and cannot be made again: \(reason)"
    case .releaseNotServed(let from, let to):
      "\(from.text) is not served any more: all maps are updated to \(to.text) together with the install"
    }
  }

  /// The component that it is about, if it is about one.
  package var name: ComponentName? {
    switch self {
    case .damagedBase(let name), .withdrawn(let name): name
    case .startedAgain, .notServed, .unusable, .endingNotRecorded, .catalogNotKept, .releaseNotServed,
      .rebuilt,
      .notRebuilt:
      nil
    }
  }
}
