internal import Catalog
internal import InPlace
package import MapModel
internal import MapTree
internal import Platform
internal import Store

/// What an operation will take: exact sums over all components.
package struct Plan: Equatable {
  /// Components that stay as they are, come by patch, come in full, or go.
  package private(set) var kept = 0
  /// Of those that stay: under another name than before.
  package private(set) var linked = 0
  package private(set) var patched = 0
  /// Of those that come by patch: by several, one after the other.
  package private(set) var chained = 0
  package private(set) var full = 0
  package private(set) var removed = 0
  /// Packages that the device has and the release no longer does, without any in their place.
  package private(set) var withdrawn = 0
  /// The first packages that the device has and the release no longer does.
  package private(set) var departures: [Departure] = []
  /// Bytes on the wire.
  package private(set) var patchDownload: UInt64 = 0
  package private(set) var fullDownload: UInt64 = 0
  /// Bytes on the wire if there were no patches.
  package private(set) var downloadWithoutPatches: UInt64 = 0
  /// Bytes of deflate streams that applying compresses again.
  package private(set) var recompressed: UInt64 = 0
  /// Bytes of all components of the new generation.
  package private(set) var installedSize: UInt64 = 0
  /// Bytes of the largest component that is new.
  private(set) var largest: UInt64 = 0
  /// Bytes of the components that are new.
  package private(set) var newSize: UInt64 = 0
  /// Bytes that the file system must give at the worst moment.
  package private(set) var peakDisk: UInt64 = 0
  /// Files and directories that the file system must take at the worst moment (inodes).
  package private(set) var peakFiles: UInt64 = 0
  /// Bytes that indexes of the new components will need, by the publisher's estimate.
  package private(set) var indexSize: UInt64 = 0
  /// Bytes of memory, the program's own included.
  package private(set) var memory = UpdateLimits.ownMemory

  /// The indexes are made here, so that `peakDisk` counts them.
  package let includesIndexes: Bool
  /// What it takes comes from a medium on this device, and not over a network.
  package let isLocal: Bool
  /// Each container is a file in staging until it is applied, so that `peakDisk` counts it.
  private let storesContainers: Bool

  /// Bytes of payloads that are not there yet, if each is stored before it is used.
  private(set) var storedDownload: UInt64 = 0

  /// Something that changes consists of many files, now or afterwards.
  private(set) var changesTrees = false

  private let space: Space
  private var occupied: UInt64 = 0
  private var files: UInt64 = 0
  /// The directories of the component that was counted last.
  private var last: [String] = []

  /// - `space`: of the file system, which rounds every file up to its blocks.
  /// - `includesIndexes`: an index is made of each new component that the publisher says one can be made of.
  /// - `storesContainers`: a container is downloaded as a whole before it is applied.
  init(
    space: Space, includesIndexes: Bool = false, storesContainers: Bool = false, isLocal: Bool = false
  ) {
    self.space = space
    self.isLocal = isLocal
    self.storesContainers = storesContainers
    self.includesIndexes = includesIndexes
    occupy(space.block * 16, temporary: 0)  // the directories of a generation, its manifest and catalog
    // The generation and its `maps`, its manifest, the link to it; what the operation itself leaves in the queue and
    // the history.
    addFiles(8, temporary: 0)
  }

  package var download: UInt64 { patchDownload.saturatingSum(fullDownload) }
  /// There is a component to download or to remove.
  package var changesAnything: Bool { patched + full + removed + linked > 0 }
  /// No component is left of those that are installed.
  package var leavesNothing: Bool { kept + fetched == 0 && removed > 0 }
  /// Components that are downloaded.
  package var fetched: Int { patched + full }

  /// Takes what was computed for an update in place.
  mutating func takePeak(inPlace bytes: UInt64) { peakDisk = bytes }

  /// Adds parts of the catalog, which are on the device and get another name.
  mutating func keepParts(_ count: Int) {
    guard count > 0 else { return }
    occupy(space.block, temporary: 0)
    addFiles(UInt64(count) + 1, temporary: 0)
  }

  mutating func keep(_ entry: CatalogEntry) {
    kept += 1
    installedSize = installedSize.saturatingSum(entry.size)
    occupy(space.block, temporary: 0)
    addDirectories(of: entry.name.file)
  }

  mutating func link(_ entry: CatalogEntry) {
    linked += 1
    if entry.name.file.isTree { changesTrees = true }
    keep(entry)
  }

  mutating func remove() { removed += 1 }

  mutating func note(_ departed: DepartedPackages) {
    (withdrawn, departures) = (departed.withdrawn, departed.first)
  }

  /// Adds a component that is downloaded.
  mutating func fetch(_ entry: CatalogEntry, by payload: Payload, share: StagedShare = StagedShare()) {
    if entry.name.file.isTree || payload.base?.isTree ?? false { changesTrees = true }
    let download = payload.download - min(share.fetched, payload.download)
    switch payload {
    case .patch, .chain:
      patched += 1
      if case .chain = payload { chained += 1 }
      patchDownload = patchDownload.saturatingSum(download)
    case .packed, .whole, .staged:
      full += 1
      fullDownload = fullDownload.saturatingSum(download)
    }
    downloadWithoutPatches = downloadWithoutPatches.saturatingSum(entry.fullDownload)
    recompressed = recompressed.saturatingSum(payload.recompressed)
    installedSize = installedSize.saturatingSum(entry.size)
    newSize = newSize.saturatingSum(entry.size)
    largest = max(largest, entry.size)
    indexSize = indexSize.saturatingSum(entry.description.indexSize)
    memory = max(memory, UpdateLimits.ownMemory.saturatingSum(payload.memory))
    let file = space.allocated(entry.size)
    let steps = payload.steps(to: entry)
    storedDownload = storedDownload.saturatingSum(
      steps.isEmpty ? file.minus(share.file) : space.allocated(download))
    let temporary = temporarySpace(steps, last: file)
    // A block more for the directory that the link goes to.
    occupy(
      file.minus(share.file).saturatingSum(space.block), temporary: temporary.minus(share.temporary))
    addDirectories(of: entry.name.file)
    // Each of many files ends in a block that is not full, and has a name in a directory.
    let files = share.file > 0 ? 0 : min(entry.files ?? 0, UInt64(TreeFront.maximumCount))
    occupy(files * min(space.block, 1 << 20), temporary: 0)
    addFiles(files, temporary: 0)
    // The file itself, its checkpoint, and for a chain the two files that it is made from.
    addFiles(share.file > 0 ? 0 : 1, temporary: 3)
    if includesIndexes && entry.description.indexSize > 0 {
      addFiles(share.index > 0 ? 0 : 1, temporary: 1)
      let index = space.allocated(entry.description.indexSize)
      // A block more for the output of the index command.
      occupy(index.minus(share.index).saturatingSum(space.block), temporary: 0)
    }
  }

  /// What applying takes in addition to the new file, whose blocks `last` are counted as staying: the checkpoint, and
  /// for a chain at any moment the file that is made and the one that it is made from.
  private func temporarySpace(_ steps: [PayloadStep], last file: UInt64) -> UInt64 {
    guard !steps.isEmpty else { return 0 }
    var (before, worst) = (0 as UInt64, file)
    for step in steps {
      let made = space.allocated(step.target.size)
      let container = storesContainers ? space.allocated(step.container.size) : 0
      worst = max(worst, before.saturatingSum(made).saturatingSum(container))
      before = made
    }
    return worst.minus(file).saturatingSum(space.allocated(CheckpointFile.size))
  }

  /// Counts the directories of a file that the one before it does not have.
  private mutating func addDirectories(of file: ComponentPath) {
    let directories = file.directories
    let known = zip(directories, last).prefix { Identifier.isSame($0.0, $0.1) }.count
    addFiles(UInt64(directories.count - known), temporary: 0)
    last = directories
  }

  /// Counts files and directories that stay until the commit, and temporary ones.
  private mutating func addFiles(_ staying: UInt64, temporary: UInt64) {
    files = files.saturatingSum(staying)
    peakFiles = max(peakFiles, files.saturatingSum(temporary))
  }

  /// Counts bytes that stay until the commit, and temporary ones.
  private mutating func occupy(_ staying: UInt64, temporary: UInt64) {
    occupied = occupied.saturatingSum(staying)
    peakDisk = max(peakDisk, occupied.saturatingSum(temporary))
  }
}

extension UInt64 {
  /// The difference, or 0.
  fileprivate func minus(_ other: UInt64) -> UInt64 { self - Swift.min(self, other) }
}
