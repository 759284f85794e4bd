/// What is installed, and which operations run and wait.
public struct MapStatus: Sendable {
  /// The installed release; nil if nothing is installed.
  public let release: MapRelease?
  /// The newest one that is known.
  public let newest: MapRelease?
  /// The one to which `rollBack` returns.
  public let previous: MapRelease?
  /// Bytes of the installed maps.
  public let installedSize: UInt64
  /// Bytes of downloads that are kept for an update.
  public let stagedSize: UInt64
  /// Maps that were found damaged, and are not repaired yet.
  public let damaged: Int
  /// The installed release is on trial.
  public let isOnTrial: Bool
  /// What is being carried out.
  public let running: MapOperation?
  /// What waits.
  public let waiting: [MapOperation]

  init(_ event: EventContent) {
    release = event.release("release")
    newest = event.release("newest")
    previous = event.release("previous")
    installedSize = event.number("installedSize")
    stagedSize = event.number("staged")
    damaged = event.count("damaged")
    isOnTrial = event.object("trial") != nil
    running = event.object("running").map { MapOperation($0, state: .running) }
    waiting = event.objects("waiting").map { MapOperation($0, state: .waiting) }
  }
}

/// What the repository has.
public struct UpdateCheck: Sendable {
  /// It has a newer release that this device can use.
  public let isAvailable: Bool
  /// The installed release.
  public let installed: MapRelease?
  /// The newest one.
  public let newest: MapRelease?

  init(_ event: EventContent) {
    isAvailable = event.flag("available")
    installed = event.release("from")
    newest = event.release("to")
  }
}

/// What an update would download and need.
public struct UpdatePlan: Sendable {
  /// The release that it would install.
  public let release: MapRelease?
  /// Bytes to download.
  public let downloadSize: UInt64
  /// Bytes that would be downloaded without patches.
  public let downloadSizeWithoutPatches: UInt64
  /// Bytes of all maps afterwards.
  public let installedSize: UInt64
  /// Bytes of space that it needs at the worst moment.
  public let neededSpace: UInt64
  /// Bytes of space that may be used; nil in the plan of an operation that has begun.
  public let availableSpace: UInt64?
  /// There is room, in this or another way.
  public let fits: Bool
  /// Maps that stay, are patched, come in full, and are removed.
  public let counts: (kept: Int, patched: Int, full: Int, removed: Int)

  init(_ event: EventContent) {
    release = event.release("to")
    downloadSize = event.number("download")
    downloadSizeWithoutPatches = event.number("downloadWithoutPatches")
    installedSize = event.number("installedSize")
    neededSpace = event.number("peakDisk")
    availableSpace = event.numberIfAny("available")
    fits = event.textIfAny("room") != "no"
    counts = (event.count("kept"), event.count("patched"), event.count("full"), event.count("removed"))
  }
}

/// A kind of map data that can be left out.
public struct DataGroup: Sendable, Identifiable {
  /// Such as `search`.
  public let name: String
  /// It is installed with every package that has it.
  public let isSelected: Bool
  /// Packages that have it.
  public let packages: Int
  /// Bytes of it in all of them.
  public let size: UInt64
  /// Its name.
  public var id: String { name }

  init(_ event: EventContent) {
    name = event.text("name")
    isSelected = event.flag("selected")
    packages = event.count("packages")
    size = event.number("size")
  }
}
