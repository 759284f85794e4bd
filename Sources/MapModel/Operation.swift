/// Which packages a generation is to have, given what is installed.
package indirect enum Operation: Equatable {
  /// The installed packages, at the newest release.
  ///
  /// All of them, whatever ids are named, because a device is at one release. Ids mean that a user asked for it; so does
  /// the name of the release, which is then taken even if it is blocked.
  case update(of: [PackageID] = [], to: ReleaseName? = nil, mode: UpdateMode = .atOnce)
  /// The installed packages and these, or all packages of these regions, without the excepted ones.
  ///
  /// `isOwed`: an update in place could not make maps of these packages, and nobody has to ask for them.
  case install([PackageID], except: [PackageID] = [], isOwed: Bool = false)
  /// The installed packages without these, or without all packages of these regions; the excepted ones stay.
  case uninstall([PackageID], except: [PackageID] = [])

  /// The installed packages at the installed release, with what is damaged of them, or of these packages and regions,
  /// made again.
  case repair([PackageID] = [])

  /// The installed packages at the installed release, with those around the place of the device, and without those that
  /// came so and are not needed any more.
  case area(mode: UpdateMode = .atOnce)

  /// The name of the command.
  package var word: String {
    switch self {
    case .update: "apply"
    case .install: "install"
    case .uninstall: "uninstall"
    case .repair: "repair"
    case .area: "area"
    }
  }

  /// The packages and regions that were named; none: everything that is installed.
  package var ids: [PackageID] {
    switch self {
    case .update(let ids, _, _), .install(let ids, _, _), .uninstall(let ids, _), .repair(let ids): ids
    case .area: []
    }
  }

  /// Packages and regions below `ids` that are left out, because they were cancelled.
  package var except: [PackageID] {
    switch self {
    case .update, .repair, .area: []
    case .install(_, let except, _), .uninstall(_, let except): except
    }
  }

  /// The release that a user has named.
  package var release: ReleaseName? {
    switch self {
    case .update(_, let release, _): release
    case .install, .uninstall, .repair, .area: nil
    }
  }

  /// When the maps that it makes become current.
  package var mode: UpdateMode {
    switch self {
    case .update(_, _, let mode), .area(let mode): mode
    case .install, .uninstall, .repair: .atOnce
    }
  }

  /// Requested by a user; takes priority over automatic updates.
  package var isManual: Bool { !isOwed && (!ids.isEmpty || release != nil) }

  /// The device owes it to the user: it stays in the queue until there is room for it.
  package var isOwed: Bool {
    if case .install(_, _, let isOwed) = self { return isOwed }
    return false
  }

  /// The package `id` is part of the generation that the operation makes.
  package func wants(_ id: PackageID, isInstalled: Bool) -> Bool {
    switch self {
    case .update, .repair, .area: isInstalled
    case .install(let ids, let except, _):
      isInstalled || ids.includes(id) && !except.includes(id)
    case .uninstall(let ids, let except):
      isInstalled && (!ids.includes(id) || except.includes(id))
    }
  }

  package var isRepair: Bool {
    if case .repair = self { return true }
    return false
  }

  /// What is known to be damaged of an installed package `id` is made again.
  ///
  /// An uninstall needs no download, whatever is damaged.
  package func mends(_ id: PackageID) -> Bool {
    switch self {
    case .update, .install, .area: true
    case .uninstall: false
    case .repair(let ids): ids.isEmpty || ids.includes(id)
    }
  }

  /// It is about one of `ids`, or about a node above or below one; an update is about everything.
  ///
  /// An empty `ids` means all packages.
  package func concerns(_ ids: [PackageID]) -> Bool {
    if case .update = self { return true }
    return ids.isEmpty || self.ids.isEmpty
      || ids.contains { id in self.ids.includes(id) || self.ids.contains { id.contains($0) } }
  }

  /// The operation without the packages and regions `cancelled`; nil if nothing is left of it.
  ///
  /// An update is cancelled as a whole, because all maps are at one release.
  package func without(_ cancelled: [PackageID]) -> Operation? {
    let rest = ids.filter { !cancelled.includes($0) }
    guard !cancelled.isEmpty, !rest.isEmpty else { return nil }
    let below = cancelled.filter { rest.includes($0) && !except.contains($0) }
    switch self {
    case .update, .area: return nil
    // It has no exceptions.
    case .repair: return below.isEmpty ? .repair(rest) : nil
    case .install: return .install(rest, except: except + below, isOwed: isOwed)
    case .uninstall: return .uninstall(rest, except: except + below)
    }
  }
}
