/// Which packages a generation is to have, given what is installed.
package enum Operation: Equatable {
  /// The installed packages, at the newest release.
  ///
  /// All of them, whatever ids are named, because a device is at one release. Ids mean that a user asked for it.
  case update(of: [String] = [])
  /// The installed packages and these, or all packages of these regions, without the excepted ones.
  case install([String], except: [String] = [])
  /// The installed packages without these, or without all packages of these regions; the excepted ones stay.
  case uninstall([String], except: [String] = [])

  /// The name of the command.
  package var word: String {
    switch self {
    case .update: "apply"
    case .install: "install"
    case .uninstall: "uninstall"
    }
  }

  /// The packages and regions that were named; none: everything that is installed.
  package var ids: [String] {
    switch self {
    case .update(let ids), .install(let ids, _), .uninstall(let ids, _): ids
    }
  }

  /// Packages and regions below `ids` that are left out, because they were cancelled.
  package var except: [String] {
    switch self {
    case .update: []
    case .install(_, let except), .uninstall(_, let except): except
    }
  }

  /// Requested by a user; takes priority over automatic updates.
  package var isManual: Bool { !ids.isEmpty }

  /// The package `id` is part of the generation that the operation makes.
  package func wants(_ id: String, isInstalled: Bool) -> Bool {
    switch self {
    case .update: isInstalled
    case .install(let ids, let except):
      isInstalled || Identifier.regions(ids, contain: id) && !Identifier.regions(except, contain: id)
    case .uninstall(let ids, let except):
      isInstalled && (!Identifier.regions(ids, contain: id) || Identifier.regions(except, contain: id))
    }
  }

  /// It is about one of `ids`, or about a node above or below one; an update is about everything.
  ///
  /// An empty `ids` means all packages.
  package func concerns(_ ids: [String]) -> Bool {
    if case .update = self { return true }
    return ids.isEmpty
      || ids.contains { id in
        Identifier.regions(self.ids, contain: id) || self.ids.contains { Identifier.region(id, contains: $0) }
      }
  }

  /// The operation without the packages and regions `cancelled`; nil if nothing is left of it.
  ///
  /// An update is cancelled as a whole, because all maps are at one release.
  package func without(_ cancelled: [String]) -> Operation? {
    if case .update = self { return nil }
    let rest = ids.filter { !Identifier.regions(cancelled, contain: $0) }
    guard !cancelled.isEmpty, !rest.isEmpty else { return nil }
    let below = cancelled.filter { id in
      Identifier.regions(rest, contain: id) && !except.contains { Identifier.isSame($0, id) }
    }
    switch self {
    case .update: return nil
    case .install: return .install(rest, except: except + below)
    case .uninstall: return .uninstall(rest, except: except + below)
    }
  }

  package static func == (a: Operation, b: Operation) -> Bool {
    switch (a, b) {
    case (.update(let a), .update(let b)): Identifier.areSame(a, b)
    case (.install(let a, let exceptA), .install(let b, let exceptB)),
      (.uninstall(let a, let exceptA), .uninstall(let b, let exceptB)):
      Identifier.areSame(a, b) && Identifier.areSame(exceptA, exceptB)
    case (.update, _), (.install, _), (.uninstall, _): false
    }
  }
}
