internal import Platform
internal import Publisher

/// Exit codes are an interface: `docs/exit-codes.md` has them, and they are never renumbered.
enum ExitStatus: Int32 {
  /// Everything is prepared, and signatures are missing.
  case pending = 10
  /// The input, or a file to look at, is not what it should be.
  case rejected = 21
  case noSpace = 22
  /// A file could not be read or written.
  case storage = 24
  /// Another process is publishing to the repository.
  case busy = 25
  case usage = 64
  /// Not a repository, or a damaged one; or a key that cannot be used.
  case unusable = 78

  init(_ error: PublisherError) {
    self =
      switch error {
      case .file(let error): error.errno.isOutOfSpace ? .noSpace : .storage
      case .noSpace: .noSpace
      case .notReadBack, .codec, .hashing, .patchNotMade, .patchNotApplied: .storage
      case .busy, .releasesChanged: .busy
      case .badLabel, .controlInLabel, .labelUsed, .noSuchLabel, .keysInside, .keyListed, .noSuchKey,
        .ambiguousKey,
        .shortKeyID,
        .badThreshold, .nothingPending:
        .usage
      case .damaged, .metadata, .wrongDigest, .newerFormat, .notARepository, .notEmpty, .tooManyReleases,
        .key, .openKey, .openPassphrase,
        .misnamedKey, .keysElsewhere, .noPassphrase, .passphrasesDiffer, .noKeys:
        .unusable
      case .input, .noComponents, .componentsGone, .controlCharacter, .disappeared, .noDataGroup, .noPackage,
        .badName, .tooDeep, .sameComponent,
        .nestedPackages, .sameRegion, .descriptionTooLarge, .changedWhileRead, .catalogTooLarge,
        .damagedPatch, .misnamedFile,
        .unknownFormat, .notMetadata, .badPublicKey, .notPending, .otherContent:
        .rejected
      }
  }
}
