package import Catalog
package import Transport

/// Told what an operation does, as it does it.
package protocol UpdateObserver: TransportObserver {
  /// What will be done, before the first byte.
  mutating func planned(_ plan: Plan, from: Release?, to: Release)
  /// A component's payload is fetched next; `received` then counts its bytes.
  mutating func began(_ payload: Payload, _ name: ComponentName, size: UInt64, waiting: Int)
  /// The component is complete and verified.
  mutating func staged(_ name: ComponentName, size: UInt64)
  /// An index of the component is being made, beside whatever comes next.
  mutating func indexing(_ name: ComponentName)
  /// It is complete; `size` is 0 if the index command decided that there is none.
  mutating func indexed(_ name: ComponentName, size: UInt64)
  /// Something that the user should know, although the operation goes on.
  mutating func noticed(_ notice: Notice)
}

/// Something that is worth a line.
package enum Notice: Equatable {
  /// The installed file is not what it was; a patch cannot start from it.
  case damagedBase(ComponentName)
  /// What an interrupted run had left of a file, by its name in the repository, was not usable.
  case startedAgain(url: String)
  /// The release does not have the package any more.
  case withdrawn(ComponentName)

  package var sentence: String {
    switch self {
    case .damagedBase(let name): "the installed \(name.path) is damaged; it is fetched in full"
    case .startedAgain(let url): "what was left of \(url) is damaged; it is fetched again"
    case .withdrawn(let name): "\(name.path) is not part of the release any more and is removed"
    }
  }

  /// The component that it is about, if it is about one.
  package var name: ComponentName? {
    switch self {
    case .damagedBase(let name), .withdrawn(let name): name
    case .startedAgain: nil
    }
  }
}
