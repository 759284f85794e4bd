/// Why something on the device could not be done: what failed, and on which file, server or package.
///
/// What calls the kernel throws it, and so does everything above that: it travels from the system call to the sentence
/// as it is. `Failure+Table.swift` has a row for each case, with what happens next, the exit code and the sentence.
/// Parsers and decoders, whose callers decide by what is wrong with the bytes, have errors of their own; where their
/// work ends, those become one of these.
///
/// Names are as text, since this lies below the modules that know packages and releases. Indirect, so that what a call
/// may throw is a pointer in the code of each caller.
package indirect enum Failure: Error, Equatable {
  // MARK: Files and memory

  /// A system call failed.
  case file(FileError)
  /// The file system, or a quota, has no room for a file that was about to be written.
  case noRoom(FileError)
  /// The new maps are current, but that may not survive a power loss.
  case notDurable(release: String, FileError)
  case noMemory
  /// The program itself does not fit into the memory that it may use; in bytes.
  case budgetTooSmall(UInt64, needed: UInt64)
  case cancelled
  /// A signal stopped this process; the operation waits in the queue.
  case stopped

  // MARK: The store

  /// Another process holds it.
  case busy(path: String)
  /// Another program reads maps that are about to be replaced.
  case heldByReader(path: String)
  /// There is no store yet.
  case noStore(path: String)
  /// The root is there, but is not a store.
  case unusableStore(path: String, StoreFlaw)
  /// A manifest does not match its own checksum, or is not one; `line` is 0 if it is missing.
  case badManifest(path: String, line: Int)
  /// A new file does not read back from storage as what it must be.
  case wrongContent(path: String)
  /// There is no previous generation.
  case nothingToRollBack
  /// No release stands by.
  case nothingStaged
  /// Another release than this one stands by.
  case notStaged(String, staged: String)
  /// The release that stands by is not in effect yet, and nobody has named it.
  case notInEffect(release: String, from: String, name: String)
  /// What is staged of a release does not do for the maps that are installed now.
  case standbyIncomplete(release: String)
  /// The process of the service that clients talk to ended, and nobody had asked it to.
  case serviceBroken
  /// More operations wait than a queue holds.
  case queueFull(path: String)
  /// An operation would have more exceptions than its file can hold.
  case tooManyExceptions(operation: UInt64)
  case damaged(components: Int)
  /// None of the maps of the release is there.
  case nothingToRebuild(path: String)
  /// Nothing is left of what was installed.
  case mapsLost(path: String)

  // MARK: Space; in bytes, and `available` without the reserve

  case outOfSpace(needed: UInt64, available: UInt64, path: String)
  /// In files and directories (inodes).
  case outOfFiles(needed: UInt64, available: UInt64, path: String)
  /// An index needs at least `needed`.
  case noSpaceForIndex(component: String, needed: UInt64, available: UInt64)
  /// An update in place does not fit, since so many old maps have other names, which keep their bytes.
  case mapsShared(Int, needed: UInt64, available: UInt64, path: String)
  /// An update in place does not fit, since the file system cannot give back parts of a file.
  case noHoles(needed: UInt64, available: UInt64, path: String)

  // MARK: The network

  /// The server was not reached, or not to the end, as often as it was tried.
  case unreachable(url: String, cause: String, attempts: Int)
  /// The server's identity could not be proven; trying again would not help.
  case untrustedServer(url: String, cause: String)
  /// The file of certificate authorities is missing, or has none that can be read.
  case badAuthorities(path: String)
  /// What this device proves by who it is cannot be used: its certificate, the key of it, or `authorization`.
  case badCredentials(cause: String)
  /// The server answered with an HTTP status that ends the request.
  case refused(url: String, status: Int)
  /// The server does not give packages of a release to this device; what it says of the first.
  case packagesRefused([String], cause: String, release: String)
  /// The proxy did so; `proxy` is nil if the environment names it.
  case refusedByProxy(url: String, status: Int, proxy: String?)
  /// The file does not exist, or may not be read (`file:` only).
  case noSuchFile(url: String)
  /// The body does not have the size that it must have; `found` is what came before it was cut off.
  case wrongSize(url: String, expected: UInt64, found: UInt64)
  /// The server has a shorter file, which may be on its way there.
  case incomplete(url: String, expected: UInt64, found: UInt64)
  /// The body is longer than it can be.
  case tooLong(url: String, limit: UInt64)
  /// The URL is not one that this program follows.
  case badURL(url: String, cause: String)
  /// What took the body refused it in the middle.
  case refusedBody(url: String)
  /// As much came over the network as may come in one run.
  case runLimitReached
  /// As much came over the network as may come in one day.
  case dayLimitReached
  /// libcurl could not be set up: no memory, or an option that this build lacks.
  case noNetwork(cause: String)
  /// A connection would be needed, and `offline = yes` forbids any.
  case offline
  /// No `repository` is set, and the command needs one.
  case noRepository

  // MARK: What the publisher signed

  /// There is no root to start trust from.
  case noRoot
  /// There is none at the configured path, either.
  case noTrustedRoot(path: String)
  /// Signed metadata is missing; what it is about, as the sentence says it.
  case metadataMissing(sentence: String)
  /// Signed metadata did not come.
  case metadataNotFetched(sentence: String)
  case metadataOverMemory(sentence: String)
  /// Signed metadata is not what it must be.
  case metadataRejected(sentence: String)
  /// The repository has no release for this device.
  case noReleases(url: String)
  /// What came from `url` is not what the catalog, or the signed metadata, names.
  case wrongDigest(url: String)
  /// A catalog, or a component that it lists, is not one.
  case badCatalog(sentence: String)
  case catalogOverMemory(sentence: String)
  /// The catalog is larger than a device reads.
  case catalogTooLarge(url: String, size: UInt64, limit: UInt64)
  /// The catalog at `path` is of another release than announced.
  case wrongRelease(path: String)
  /// A part of the catalog that lists installed packages, from this one on, is lost.
  case lostPart(firstPackage: String)
  case patch(path: String, cause: String, PatchFault)

  /// What is wrong with a container, for what happens next.
  package enum PatchFault: Equatable {
    /// Its bytes are not those that the publisher signed.
    case altered
    /// Its bytes are those that the publisher signed, and do not make the file that they should.
    case signed
    /// It needs more memory than it may take.
    case overMemory
    /// The process is short of memory at the moment.
    case shortage
  }

  /// A payload that was stored for an update in place is lost; nil: a whole file. What it was for is as it was.
  case payloadLost(url: String?)
  /// A payload that was stored is as the publisher signed it, and makes another file than the catalog lists.
  case badPayload(url: String)
  /// What a component was to be made from in place is lost: storage has changed it, or cannot read it.
  case baseLost

  // MARK: What was asked for

  /// In the words of the configuration's parser.
  case configuration(sentence: String)
  /// The catalog has no such packages or regions; `meant`: what the first of them may have been meant to be.
  case unknownPackages([String], meant: String? = nil)
  case notInstalled([String], meant: String? = nil)
  /// A file is not a route that can be read.
  case badRoute(path: String, String)
  /// More packages than can be listed at once.
  case tooManyNear(limit: Int)
  /// The tree does not fit into memory.
  case tooManyRegions(limit: Int)
  /// The catalog names more data groups than a device accepts.
  case tooManyGroups(limit: Int)
  /// `known`: the data groups of the catalog.
  case unknownGroups([String], known: [String])
  /// The data group cannot be deselected.
  case fixedGroup(String)
  /// The maps that came with the device are more than can be adopted at once.
  case tooManyPackages(path: String, limit: Int)
  /// A user named a release that this device is not offered.
  case notOffered(String, newest: String)
  /// The operation would have to go to a release that is blocked; in the words of the block.
  case releaseBlocked(sentence: String)
  /// The publisher has taken the release back, for this reason.
  case recalled(release: String, reason: String)
  /// The same of the installed release, and the repository has no other for this device.
  case recalledWithoutOther(release: String, reason: String)
  /// The release lacks `count` installed packages, of which the list has the first, and no user has asked for that release.
  case withheld(release: String, number: UInt64, packages: [String], count: Int)
  /// The application is too old for the maps of the newest release.
  case applicationTooOld(needed: UInt64, has: UInt64, release: String)
  /// No patch that is served leads to a component from what is installed, and `fallback = never` forbids the rest.
  case noPatch(component: String, size: UInt64)
  /// The installed release has damaged maps and is no longer served.
  case notRepairable(release: String)
  /// The index command did not make the index of a component; `cause` says what it did.
  case index(component: String, command: String, cause: String)
  /// An update in place stopped after the point of no return; the next operation resumes it.
  case inPlaceStopped(Failure)
  /// Not while an update in place is under way.
  case inPlacePending(release: String?)

  // MARK: Bundles and exports

  /// What `--from` names is not an archive that can be read.
  case badArchive(sentence: String)
  /// What `--from` names lacks a file that the operation needs.
  case notInBundle(name: String, path: String)
  /// A store that is to be filled has maps of another release.
  case otherRelease(String, bundle: String, path: String)
  /// No package is in it as a whole.
  case noPackages(path: String)
  /// What is to be written to a new directory would be mixed with other files.
  case notEmpty(path: String)
  /// A new file is to be written, and there is something with its name.
  case fileExists(path: String)
  /// There are no maps in the store.
  case nothingToExport(path: String)
}

extension Failure {
  package init(_ errno: Errno, path: String) { self = .file(FileError(errno, path: path)) }

  /// Why the system call failed; nil if it is not about one.
  package var errno: Errno? {
    if case .file(let error) = self { error.errno } else { nil }
  }

  package var isCancelled: Bool {
    if case .cancelled = self { true } else { false }
  }

  /// There is nothing with the name, or something of another kind.
  package var isOfAbsence: Bool { errno?.isOfAbsence ?? false }

  /// What was to be written found no room, and nothing of it was written.
  package var beforeWriting: Failure {
    if case .file(let error) = self, error.errno.isOutOfSpace { .noRoom(error) } else { self }
  }

  /// The server says that it does not have the file.
  ///
  /// 403 is how object stores say it to those who may not list them.
  package var isAbsentOnServer: Bool {
    switch self {
    case .noSuchFile: true
    case .refused(_, let status): status == 404 || status == 403
    default: false
    }
  }

  /// The URL of a file that the server does not have, or does not have any more; nil if it is not that.
  package var absentURL: String? {
    switch self {
    case .noSuchFile(let url): url
    case .refused(let url, let status): isAbsentOnServer || status == 410 ? url : nil
    default: nil
    }
  }

  /// The URL of a file that the server does not have, or does not give to this device; nil if it is not that.
  package var deniedURL: String? {
    if case .refused(let url, 401...402) = self { url } else { absentURL }
  }

  /// What a server says that has no file, or does not give it to this device; such as "the server answers 403".
  ///
  /// Nil for a file that is not on a stick: that may have been copied in part.
  package var denial: String? {
    guard case .refused(_, let status) = self, deniedURL != nil else { return nil }
    return "the server answers \(status)"
  }
}
