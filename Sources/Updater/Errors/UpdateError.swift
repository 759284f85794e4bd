package import Archive
package import Catalog
package import DeltaApply
package import MapModel
package import MapTree
package import Platform
package import Store
package import Transport
package import Trust

/// Why a command could not do what it was asked for: the one error that the program sees.
///
/// An error that another module throws becomes one of these by an initializer (`UpdateError+Inner.swift`): so being
/// cancelled is `cancelled`, whichever module was interrupted. Indirect, like every error with values: what a call may
/// throw is a pointer in the code of each caller.
package indirect enum UpdateError: Error, Equatable {
  case configuration(ConfigurationError)
  case transport(TransportError)
  /// Signed metadata is not what it must be; `below`: the URL of its directory, empty for what is on the device.
  case trust(TrustError, below: String)
  case catalog(CatalogError)
  case store(StoreError)
  /// What the map tree does not contain, or what does not fit into it.
  case tree(MapTreeError)
  case delta(DeltaError, path: String)
  /// What `--from` names is not an archive that can be read.
  case archive(ArchiveError)
  /// What `--from` names lacks a file that the operation needs.
  case notInBundle(name: String, path: String)
  /// A store that is to be filled has maps of another release.
  case otherRelease(Release, bundle: Release, path: String)
  /// No package is in it as a whole.
  case noPackages(path: String)
  /// What is to be written to a new directory would be mixed with other files.
  case notEmpty(path: String)
  /// There are no maps in the store.
  case nothingToExport(path: String)
  /// No `repository` is set, and the command needs one.
  case noRepository
  /// A connection would be needed, and `offline = yes` forbids any.
  case offline
  /// No patch that is served leads to a component from what is installed, and `fallback = never` forbids the rest.
  case noPatch(ComponentName, size: UInt64)
  /// The application is too old for the maps of the newest release.
  case applicationTooOld(needed: UInt64, has: UInt64, release: Release)
  /// There is no root to start trust from, neither in the store nor at the configured path.
  case noTrustedRoot(path: String)
  /// The repository has no release for this device.
  case noReleases(url: String)
  /// What came from `url` is not what the catalog, or the signed metadata, names.
  case wrongDigest(url: String)
  /// The catalog is larger than a device reads.
  case catalogTooLarge(url: String, size: UInt64)
  case notInstalled([PackageID])
  /// In bytes; `available` is without the reserve.
  case outOfSpace(needed: UInt64, available: UInt64, path: String)
  /// The file system, or a quota, has no room for a file that was about to be written.
  case noRoom(FileError)
  /// In files and directories (inodes).
  case outOfFiles(needed: UInt64, available: UInt64, path: String)
  /// The file system had `available` bytes for an index, without the reserve, and it needs `needed`.
  case noSpaceForIndex(ComponentName, needed: UInt64, available: UInt64)
  /// The index command did not make the index of a component.
  case index(ComponentName, command: String, IndexFailure)
  /// The program itself does not fit into the memory that it may use.
  case budgetTooSmall(UInt64)
  case damaged(count: Int)
  /// The installed release has damaged maps and is no longer served.
  case notRepairable(Release)
  /// The operation would have to go to a release that is blocked.
  case releaseBlocked(BlockedRelease)
  /// A user named a release that this device is not offered.
  case notOffered(ReleaseName, newest: Release)
  /// The release lacks `count` installed packages, of which the list has the first, and no user has asked for that release.
  case withheld(Release, [PackageID], count: Int)
  /// The maps that came with the device are more than can be adopted at once.
  case tooManyPackages(path: String)
  /// An update in place does not fit, since so many old maps have other names, which keep their bytes; in bytes.
  case mapsShared(Int, needed: UInt64, available: UInt64, path: String)
  /// An update in place does not fit, since the file system cannot give back parts of a file; in bytes.
  case noHoles(needed: UInt64, available: UInt64, path: String)
  /// An update in place stopped after the point of no return; the next operation resumes it.
  case inPlaceStopped(UpdateError)
  /// Not while an update in place is under way.
  case inPlacePending(Release?)
  /// Nothing is left of what was installed.
  case mapsLost(path: String)
  /// None of the maps of the release is there.
  case nothingToRebuild(path: String)
  case cancelled
  /// A signal stopped this process; the operation waits in the queue.
  case stopped
  /// The new maps are current, but that may not survive a power loss.
  case notDurable(Release, cause: FileError)

  /// What happened, to which file or URL, and what to do next.
  package var sentence: String {
    switch self {
    case .configuration(let error): error.sentence
    case .trust(let error, let url): UpdateError.advice(error, below: url)
    case .catalog(let error): error.sentence
    case .store(.file(let error)), .transport(.storage(let error)): UpdateError.advice(error)
    case .transport(.missing(let url)):
      "there is no \(url), or it may not be read; if it is on a stick, attach that and run the command again, which "
        + "resumes; otherwise check the repository setting"
    case .transport(let error): error.sentence
    case .store(let error): error.sentence
    case .tree(let error): error.sentence
    case .delta(let error, let path): "\(path) \(error.sentence)"
    case .archive(.file(let error)): UpdateError.advice(error)
    case .archive(let error): "\(error.sentence); nothing was changed, copy it again or ask for another one"
    case .notInBundle(let name, let path):
      "\(path) has no \(name), which this device needs: it was made for other maps, or to update from another release, "
        + "or maps on the device are damaged (\"tinyupdater verify\"); nothing was changed"
    case .noRepository:
      "no repository is set; give --repository URL or set \"repository\" in the configuration"
    case .offline:
      "offline = yes forbids any connection, and this needs one; set offline = no, or name a repository on a "
        + "stick with --repository file:///…"
    case .noPatch(let name, let size):
      "\(name.path) would come in full (\(size) bytes), as none of its patches can be used here, and fallback = never "
        + "forbids that; nothing was changed: bring it on a stick (--from), or set fallback = full"
    case .applicationTooOld(let needed, let has, let release):
      "\(release.text) needs version \(needed) of the application, and this device has \(has); "
        + "the maps stay as they are until the application is updated"
    case .noTrustedRoot(let path):
      "this device trusts no publisher yet: there is no \(path); copy metadata/1.root.json there from the "
        + "publisher's own machine, or name another file with trusted_root in the configuration"
    case .noReleases(let url):
      "\(url) has no release for this device"
    case .wrongDigest(let url):
      "\(url) is not the file that was announced (wrong SHA-256); nothing was changed, tell the publisher"
    case .catalogTooLarge(let url, let size):
      "\(url) has \(size) bytes, and no device reads a catalog of more than \(CatalogLimits.catalogFile); "
        + "nothing was changed, tell the publisher"
    case .notInstalled(let ids):
      "\(ids.map { $0.text }.listed) \(ids.count == 1 ? "is" : "are") not installed; \"tinyupdater list\" shows what is"
    case .outOfSpace(let needed, let available, let path):
      "\(path) has \(available) bytes available and the update needs \(needed); "
        + "free \(needed - min(available, needed)) bytes or uninstall maps; nothing was changed"
    case .noRoom(let cause):
      "\(cause.sentence); free some space, or raise the quota, and run the command again: it goes on with what it has "
        + "downloaded; nothing was changed"
    case .outOfFiles(let needed, let available, let path):
      "the file system of \(path) has room for \(available) more files (inodes) and the update needs \(needed); "
        + "remove \(needed - min(available, needed)) files or uninstall maps; nothing was downloaded"
    case .noSpaceForIndex(let name, let needed, let available):
      "the index of \(name.path) needs at least \(needed) bytes and \(available) are available; "
        + "free \(needed - min(available, needed)) bytes or more, or uninstall maps; nothing was changed"
    case .index(let name, let command, let failure):
      "no index of \(name.path) was made: \(command) \(failure.sentence); nothing was changed"
    case .budgetTooSmall(let limit):
      "only \(limit) bytes of memory may be used, and \(UpdateLimits.minimumBudget) are needed; "
        + "raise memory_budget or the limit of the calling process (ulimit -d)"
    case .damaged(let count):
      "\(count) installed component\(count == 1 ? " is" : "s are") damaged; \"tinyupdater repair\" downloads what is "
        + "damaged again"
    case .notRepairable(let release):
      "\(release.text) is no longer served, so its damaged maps cannot be downloaded again; \"tinyupdater apply\" "
        + "updates to a newer release and mends it; nothing was changed"
    case .releaseBlocked(let blocked): "the installed release is no longer served, and \(blocked.sentence)"
    case .notOffered(let name, let newest):
      "\(name) is not a release that this device can update to; the newest one is \(newest.text)"
    case .withheld(let release, let ids, let count):
      "\(release.text) no longer has \(ids.map { $0.text }.listed)\(count > ids.count ? " and \(count - ids.count) more" : ""), "
        + "and nothing in \(count == 1 ? "its" : "their") place: it waits until \"tinyupdater apply --release \(release.number)\" takes it all "
        + "the same; nothing was changed"
    case .tooManyPackages(let path):
      "\(path) has more than \(UpdateLimits.identifiers) packages of regions that are not complete in it; name packages "
        + "or regions instead"
    case .otherRelease(let installed, let bundle, let path):
      "\(path) has \(bundle.text), and \(installed.text) is installed; \"tinyupdater apply --from\" updates to it; "
        + "nothing was changed"
    case .notEmpty(let path): "\(path) exists and is not empty; remove it, or choose another name"
    case .nothingToExport(let path): "\(path) has no maps that could be exported; install some first"
    case .noPackages(let path):
      "\(path) has no package as a whole; make one with \"tinypublish bundle\" without --from; nothing was changed"
    case .mapsShared(let count, let needed, let available, let path):
      "\(path) has \(available) bytes available and the update needs \(needed) beside the maps: in place, \(count) of "
        + "the old ones give nothing back, since they have other names (an export or a backup with hard links, or a "
        + "program that reads an older release); remove those, or free space; nothing was changed"
    case .noHoles(let needed, let available, let path):
      "\(path) has \(available) bytes available and the update needs \(needed) at least: its file system cannot give back "
        + "parts of a map while a new one is made; free some space or uninstall maps; nothing was changed"
    case .inPlacePending(let release):
      "an update in place\(release.map { " to \($0.text)" } ?? "") is not finished; \"tinyupdater apply\" finishes it, "
        + "and then run the command again"
    case .mapsLost(let path):
      "\(path) has lost all maps, and the list of what was installed: the storage may be failing, check the kernel's log; "
        + "\"tinyupdater install ID…\" downloads them again"
    case .inPlaceStopped(let cause):
      "the update in place stopped: \(cause.cause); the maps that change are not there until it is done: "
        + "\(cause.disposition == .outOfSpace ? "free some space and " : "")run \"tinyupdater apply\" again, which resumes it"
    case .nothingToRebuild(let path): "\(path) has none of the maps that the installed release lists"
    case .cancelled: "cancelled; nothing was changed"
    case .stopped: "stopped; the operation waits in the queue, and the next run resumes it"
    case .notDurable(let release, let cause):
      "\(release.text) is installed, but a power loss now may bring the old maps back: \(cause.sentence); the disk "
        + "may be failing, check the kernel's log"
    }
  }

  /// Only what happened, and to which file.
  private var cause: String {
    switch self {
    case .store(.file(let error)), .transport(.storage(let error)), .archive(.file(let error)): error.sentence
    default: sentence
    }
  }

  /// What a server did wrong, without what to do about it.
  var failedRequest: String {
    if case .transport(let error) = self { return error.failedRequest ?? error.sentence }
    return cause
  }

  /// Says what to do about the errors that have an answer.
  private static func advice(_ error: FileError) -> String {
    switch error.errno {
    case .noSpace, .quotaExceeded: "\(error.sentence); free some space and run it again, nothing was changed"
    case .readOnly: "\(error.sentence); mount it writable, nothing was changed"
    case .notAllowed: "\(error.sentence); run as the user that owns the store"
    case .fileTooLarge where ThisProcess.limitsFileSizes:
      "\(error.sentence); raise the file size limit of the calling process (ulimit -f)"
    case .fileTooLarge:
      "\(error.sentence); its file system does not take files of that size (FAT ends at 4 GiB): move the store to ext4, "
        + "f2fs, XFS or btrfs"
    case .notSupported:
      "\(error.sentence); its file system lacks what a store needs: use ext4, f2fs, btrfs, XFS or UBIFS"
    case .input: "\(error.sentence); the disk may be failing, check the kernel's log"
    case .notADirectory: "\(error.sentence); move the file with that name elsewhere, nothing was changed"
    default: "\(error.sentence); nothing was changed"
    }
  }

  private static func advice(_ error: TrustError, below url: String) -> String {
    switch error {
    case .file(let error): advice(error)
    case .busy, .cancelled, .missing, .notFetched, .noRoot, .moreRoots: error.sentence
    case .overMemory: "\(url)\(error.sentence); tell the publisher to withdraw old releases"
    case .expired:
      "\(url)\(error.sentence); nothing of it is trusted: if this device's clock is right, the publisher has to renew it"
    case .rolledBack, .dropped:
      "\(url)\(error.sentence); nothing of it is trusted: the server, or a proxy in front of it, serves an old state"
    case .unsigned:
      "\(url)\(error.sentence); nothing of it is trusted: the server, or a proxy in front of it, alters the metadata, or "
        + "trusted_root is that of another publisher"
    case .malformed, .mismatched, .wrongVersion, .unlisted:
      "\(url)\(error.sentence); nothing of it is trusted: the server, or a proxy in front of it, alters the metadata"
    }
  }
}
