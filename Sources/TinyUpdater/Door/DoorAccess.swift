internal import MapService
internal import Platform

/// What a client may call: nothing, what a user does, or everything.
enum DoorAccess: Equatable {
  case nothing, use, all

  /// - `group`: the group whose members may use the maps; nil: nobody but the owner.
  init(_ peer: Peer?, group: UInt32?) {
    guard let peer else {
      self = .nothing
      return
    }
    if peer.isOwner {
      self = .all
    } else if let group, peer.groups.contains(group) {
      self = .use
    } else {
      self = .nothing
    }
  }

  func permits(_ method: MapMethod) -> Bool {
    switch self {
    case .nothing: false
    case .use: !method.isReserved
    case .all: true
    }
  }
}
