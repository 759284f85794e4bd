internal import Platform
internal import Publisher
internal import Reporting

/// Exit codes are an interface: `docs/exit-codes.md` lists them, and they are never renumbered.
enum ExitStatus: Int32 {
  /// Everything is prepared, and signatures are missing.
  case pending = 10
  /// The input, or a file to inspect, is not valid.
  case rejected = 21
  case noSpace = 22
  case memory = 23
  /// A file could not be read or written.
  case storage = 24
  /// Another process is publishing to the repository.
  case busy = 25
  case usage = 64
  /// Not a repository, or a damaged one; or a key that cannot be used.
  case unusable = 78

  /// The name in `result` of a JSON line: that of `tinyupdater`, where it has the same code.
  var name: String {
    switch self {
    case .pending: "SignaturesMissing"
    case .rejected: "Rejected"
    case .noSpace: "OutOfSpace"
    case .memory: "OutOfMemory"
    case .storage: "StorageFailed"
    case .busy: "Busy"
    case .usage: "InvalidParameters"
    case .unusable: "InitializationFailed"
    }
  }

  init(_ error: PublisherError) {
    self =
      switch error {
      case .file(let error):
        error.errno?.isOutOfSpace == true ? .noSpace : error.errno == .outOfMemory ? .memory : .storage
      case .operand(let error): error.isOfUsage ? .usage : .storage
      case .inspection(.noRoot): .usage
      case .inspection(.server), .stopped: .storage
      case .input, .inspection: .rejected
      case .label, .keyChange: .usage
      case .payload, .library: .storage
      case .keys(let error): ExitStatus(error)
      case .signatures(let error): ExitStatus(error)
      case .repository(let error): ExitStatus(error)
      case .job(let error): ExitStatus(error)
      case .bundle(let error): ExitStatus(error)
      case .push(let error): ExitStatus(error)
      case .report(let error): ExitStatus(error)
      }
  }

  private init(_ error: PushError) {
    self =
      switch error {
      case .notADestination: .usage
      case .newerThere, .otherRepository, .damaged: .rejected
      case .noProgram: .unusable
      case .failed: .storage
      case .changing: .busy
      }
  }

  private init(_ error: JobError) {
    self =
      switch error {
      case .noIndex, .noSuchJob, .controlCharacter: .usage
      case .notAJob, .otherRecipe: .rejected
      case .notNext: .busy
      case .noComponent: .unusable
      }
  }

  private init(_ error: ReportError) {
    self =
      switch error {
      case .file, .hashing: .storage
      case .notAReport: .usage
      case .busy: .busy
      }
  }

  private init(_ error: BundleError) {
    self =
      switch error {
      case .unknownRelease, .notOlder, .unknownPackages, .unknownGroups, .exists: .usage
      case .noReleases, .damaged: .unusable
      case .archive: .storage
      }
  }

  private init(_ error: KeyStoreError) {
    self =
      switch error {
      case .unusable, .keyReadableByOthers, .passphraseReadableByOthers, .misnamed, .noPassphrase,
        .passphrasesDiffer, .noKeys, .signerFailed, .wrongSignature:
        .unusable
      case .insideRepository: .usage
      case .notAPublicKey: .rejected
      }
  }

  private init(_ error: SignatureError) {
    self =
      switch error {
      case .tooFewKeys: .unusable
      case .nothingPending: .usage
      case .notPending, .contentDiffers, .notMetadata: .rejected
      }
  }

  private init(_ error: RepositoryError) {
    self =
      switch error {
      case .notARepository, .noReleases, .notEmpty, .tooManyReleases, .catalog, .newerFormat, .metadata,
        .wrongDigest:
        .unusable
      case .busy, .releasesChanged: .busy
      case .noSpace: .noSpace
      case .catalogNotReadBack, .notDurable: .storage
      }
  }
}
