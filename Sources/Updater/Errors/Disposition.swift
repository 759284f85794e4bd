internal import Archive
internal import Catalog
internal import Codec
internal import DeltaApply
internal import MapModel
internal import MapTree
internal import Platform
internal import Store
internal import Transport
internal import Trust

/// What an error means for the operation that it ended: the one thing that decides what happens next.
package enum Disposition: Equatable {
  /// The cause may pass by itself, and finding out costs little.
  ///
  /// A connection fails, a server refuses, a login page replaces signed metadata, the clock is not set yet, or the
  /// publisher is late to sign. A wrong argument stays wrong, and a map with the wrong content would be downloaded
  /// again each time.
  case retryLater
  /// Another process holds what the operation needs.
  case busy
  /// A signal other than the user's stopped this process.
  case stopped
  /// The user no longer wants it.
  case cancelled
  /// The file system is full, or would be.
  case outOfSpace
  /// Downloaded bytes, or the file made of them, are not what the publisher signed.
  case contentRejected
  /// Another attempt would fail as well, or cannot be expected to succeed.
  case fatal
}

extension UpdateError {
  package var disposition: Disposition {
    switch self {
    case .cancelled: .cancelled
    case .stopped: .stopped
    case .offline: .retryLater
    case .outOfSpace, .noRoom, .outOfFiles, .noSpaceForIndex, .mapsShared, .noHoles: .outOfSpace
    case .noReleases, .wrongDigest, .catalogTooLarge: .contentRejected
    case .tree(let error): UpdateError.disposition(error)
    case .transport(let error): UpdateError.disposition(error)
    case .trust(let error, _): UpdateError.disposition(error)
    case .catalog(let error): UpdateError.disposition(error)
    case .store(let error): UpdateError.disposition(error)
    case .delta(let error, _): UpdateError.disposition(error)
    case .archive(let error): UpdateError.disposition(error)
    case .inPlaceStopped(let cause): cause.disposition
    case .configuration, .noRepository, .noTrustedRoot, .applicationTooOld, .notInstalled, .index,
      .releaseBlocked, .notOffered, .damaged, .notRepairable, .nothingToRebuild, .notDurable,
      .tooManyPackages, .budgetTooSmall, .notInBundle, .otherRelease, .noPackages,
      .notEmpty, .nothingToExport, .withheld, .noPatch, .inPlacePending, .mapsLost:
      .fatal
    }
  }

  /// The staged files' space is needed, or the user no longer wants them.
  ///
  /// After any other error it stays: it is content-addressed, and the next plan removes what it does not need.
  var emptiesStaging: Bool {
    if stopsInPlace { return false }
    switch self {
    // It was to take space, and has taken none: what is there has its place, and the next plan counts it.
    case .noRoom: return false
    // What was downloaded to find this out must not be downloaded by every run.
    case .mapsShared, .noHoles: return false
    default: break
    }
    return switch disposition {
    case .cancelled, .outOfSpace: true
    case .retryLater, .busy, .stopped, .contentRejected, .fatal: false
    }
  }

  /// The operation stays in the queue: the next run tries it again.
  var keepsInQueue: Bool {
    if stopsInPlace { return true }
    return switch disposition {
    case .retryLater, .busy, .stopped: true
    case .cancelled, .outOfSpace, .contentRejected, .fatal: false
    }
  }

  /// An update in place cannot go on, which comes before any operation.
  package var stopsInPlace: Bool {
    if case .inPlaceStopped = self { true } else { false }
  }

  /// The same for one operation: what the device owes waits for whatever may change.
  func keeps(_ operation: Operation) -> Bool {
    keepsInQueue || operation.isOwed && disposition != .cancelled
  }

  /// Another attempt may succeed by itself: the process had too little memory, or too many files open.
  var isOfShortage: Bool {
    switch self {
    case .store(.noMemory), .archive(.noMemory), .delta(.hashing, _), .delta(.codec(.outOfMemory), _): true
    case .store(.file(let error)), .delta(.file(let error), _), .transport(.storage(let error)):
      error.errno.isOfShortage
    default: false
    }
  }

  /// Another server of the repository may do better.
  var isOfServer: Bool {
    switch self {
    // The sink does not take what another one has either: `blamesServer` is about that.
    case .transport(.limitReached), .transport(.rejected): false
    case .transport, .trust, .noReleases: disposition == .retryLater || disposition == .contentRejected
    default: false
    }
  }

  /// The bytes of a file are not those that the publisher signed.
  var blamesServer: Bool {
    switch self {
    case .delta(let error, _): !error.isSigned && disposition == .contentRejected
    default: disposition == .contentRejected
    }
  }

  /// The server does not have the file.
  var isAbsence: Bool {
    if case .transport(let error) = self { error.isAbsence } else { false }
  }

  private static func disposition(_ error: TransportError) -> Disposition {
    switch error {
    // Only metadata has a limit instead of a size, and a login page may exceed it.
    case .unreachable, .untrusted, .refused, .refusedByProxy, .incomplete, .missing, .badURL, .tooLong,
      .limitReached:
      .retryLater
    case .wrongSize, .rejected: .contentRejected
    case .storage(let error): disposition(error)
    case .cancelled: .cancelled
    case .setup, .badCredentials, .badAuthorities: .fatal
    }
  }

  private static func disposition(_ error: ArchiveError) -> Disposition {
    switch error {
    case .file(let error): disposition(error)
    case .cancelled: .cancelled
    // Not what was staged is wrong, but what it came in.
    case .malformed, .entry, .tooManyFiles, .noMemory: .fatal
    }
  }

  private static func disposition(_ error: TrustError) -> Disposition {
    switch error {
    case .missing, .notFetched, .moreRoots: .retryLater
    case .malformed, .mismatched, .unsigned, .wrongVersion, .rolledBack, .dropped, .expired, .unlisted:
      .retryLater
    case .file(let error): disposition(error)
    case .busy: .busy
    case .cancelled: .cancelled
    case .noRoot, .overMemory: .fatal
    }
  }

  private static func disposition(_ error: CatalogError) -> Disposition {
    switch error {
    case .file(let error): disposition(error)
    case .packed(_, .overMemoryLimit), .packed(_, .outOfMemory), .malformed(_, _, .outOfMemory): .fatal
    case .packed, .malformed, .notAComponent: .contentRejected
    }
  }

  private static func disposition(_ error: MapTreeError) -> Disposition {
    switch error {
    case .catalog(let error): disposition(error)
    case .store(let error): disposition(error)
    case .cancelled: .cancelled
    case .wrongRelease: .contentRejected
    case .lostPart, .unknownPackages, .tooManyRegions, .tooManyGroups, .unknownGroups, .fixedGroup: .fatal
    }
  }

  private static func disposition(_ error: StoreError) -> Disposition {
    switch error {
    case .file(let error): disposition(error)
    case .busy, .heldByReader, .queueFull: .busy
    case .wrongDigest: .contentRejected
    case .cancelled: .cancelled
    case .missing, .unusable, .badManifest, .nothingToRollBack, .tooManyExceptions, .noMemory: .fatal
    }
  }

  private static func disposition(_ error: DeltaError) -> Disposition {
    switch error {
    case .file(let error): disposition(error)
    case .cancelled: .cancelled
    case .overMemory, .hashing, .codec(.outOfMemory), .codec(.overMemoryLimit): .fatal
    case .notAPatch, .badHead, .wrongHead, .wrongOldFile, .truncated, .trailingBytes, .wrongFrame, .badFrame,
      .badSection, .badBlock, .outsideSource, .wrongResult, .codec:
      .contentRejected
    }
  }

  private static func disposition(_ error: FileError) -> Disposition {
    error.errno.isOutOfSpace ? .outOfSpace : .fatal
  }
}
