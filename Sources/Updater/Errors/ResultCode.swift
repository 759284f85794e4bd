internal import Archive
internal import Catalog
internal import Codec
internal import DeltaApply
internal import MapTree
internal import Platform
internal import Store
internal import Transport
internal import Trust

/// How an operation ended, as queue, history and events record it; the program exits with the same code.
///
/// An interface, documented in `docs/exit-codes.md` and never renumbered. What happens after an error is decided by its
/// `Disposition`, not by this.
package enum ResultCode: CInt, Equatable, CaseIterable {
  case success = 0
  case updateAvailable = 10
  case applicationTooOld = 11
  case incomplete = 12
  case withheld = 13
  case connectionFailed = 20
  case rejected = 21
  case outOfSpace = 22
  case overBudget = 23
  case storage = 24
  case busy = 25
  case cancelled = 26
  case usage = 64
  case unusable = 78

  /// The name in `result` of an event and in `history`, in the words of the map loaders.
  package var name: String {
    switch self {
    case .success: "Success"
    case .updateAvailable: "UpdateAvailable"
    case .applicationTooOld: "ApplicationTooOld"
    case .incomplete: "Incomplete"
    case .withheld: "Withheld"
    case .connectionFailed: "ConnectionFailed"
    case .rejected: "Rejected"
    case .outOfSpace: "OutOfSpace"
    case .overBudget: "OverBudget"
    case .storage: "StorageFailed"
    case .busy: "Busy"
    case .cancelled: "OperationCancelled"
    case .usage: "InvalidParameters"
    case .unusable: "InitializationFailed"
    }
  }

  package init(_ error: UpdateError) {
    self =
      switch error {
      case .configuration, .noRepository, .noTrustedRoot: .unusable
      case .offline, .noPatch: .connectionFailed
      case .applicationTooOld: .applicationTooOld
      case .transport(let error): ResultCode(error)
      case .trust(let error, _): ResultCode(error)
      case .catalog(let error): ResultCode(error)
      case .store(let error): ResultCode(error)
      case .delta(let error, _): ResultCode(error)
      case .archive(let error): ResultCode(error)
      case .noReleases, .wrongDigest, .catalogTooLarge, .notInBundle, .noPackages: .rejected
      case .tree(let error): ResultCode(error)
      case .notInstalled, .releaseBlocked, .notOffered, .otherRelease, .notEmpty, .nothingToExport,
        .inPlacePending:
        .usage
      case .outOfSpace, .noRoom, .outOfFiles, .noSpaceForIndex, .mapsShared, .noHoles: .outOfSpace
      case .index: .unusable
      case .damaged, .notRepairable, .nothingToRebuild, .notDurable, .mapsLost: .storage
      case .withheld: .withheld
      case .tooManyPackages: .unusable
      case .inPlaceStopped(let cause): ResultCode(cause)
      case .budgetTooSmall: .overBudget
      case .cancelled, .stopped: .cancelled
      }
  }

  private init(_ error: TransportError) {
    self =
      switch error {
      case .unreachable, .untrusted, .refused, .refusedByProxy, .incomplete, .missing, .badURL, .limitReached:
        .connectionFailed
      case .wrongSize, .tooLong, .rejected: .rejected
      case .storage(let error): ResultCode(error)
      case .cancelled: .cancelled
      case .setup: .overBudget
      case .badCredentials, .badAuthorities: .unusable
      }
  }

  private init(_ error: ArchiveError) {
    self =
      switch error {
      case .file(let error): ResultCode(error)
      case .malformed, .entry, .tooManyFiles: .rejected
      case .noMemory: .overBudget
      case .cancelled: .cancelled
      }
  }

  private init(_ error: TrustError) {
    self =
      switch error {
      case .file(let error): ResultCode(error)
      case .busy: .busy
      case .cancelled: .cancelled
      case .noRoot: .unusable
      case .missing, .notFetched, .moreRoots: .connectionFailed
      case .overMemory: .overBudget
      case .malformed, .mismatched, .unsigned, .wrongVersion, .rolledBack, .dropped, .expired, .unlisted:
        .rejected
      }
  }

  private init(_ error: CatalogError) {
    self =
      switch error {
      case .file(let error): ResultCode(error)
      case .packed(_, .overMemoryLimit), .packed(_, .outOfMemory), .malformed(_, _, .outOfMemory): .overBudget
      case .packed, .malformed, .notAComponent: .rejected
      }
  }

  private init(_ error: StoreError) {
    self =
      switch error {
      case .file(let error): ResultCode(error)
      case .busy, .heldByReader, .queueFull: .busy
      case .missing, .unusable: .unusable
      case .badManifest: .storage
      case .wrongDigest: .rejected
      case .nothingToRollBack, .tooManyExceptions: .usage
      case .noMemory: .overBudget
      case .cancelled: .cancelled
      }
  }

  private init(_ error: MapTreeError) {
    self =
      switch error {
      case .catalog(let error): ResultCode(error)
      case .store(let error): ResultCode(error)
      case .wrongRelease, .lostPart: .rejected
      case .unknownPackages, .unknownGroups, .fixedGroup: .usage
      case .tooManyRegions, .tooManyGroups: .overBudget
      case .cancelled: .cancelled
      }
  }

  private init(_ error: DeltaError) {
    self =
      switch error {
      case .overMemory, .hashing, .codec(.outOfMemory), .codec(.overMemoryLimit): .overBudget
      case .file(let error): ResultCode(error)
      case .cancelled: .cancelled
      case .notAPatch, .badHead, .wrongHead, .wrongOldFile, .truncated, .trailingBytes, .wrongFrame,
        .badFrame,
        .badSection, .badBlock, .outsideSource, .wrongResult, .codec:
        .rejected
      }
  }

  private init(_ error: FileError) {
    self = error.errno.isOutOfSpace ? .outOfSpace : error.errno == .outOfMemory ? .overBudget : .storage
  }
}
