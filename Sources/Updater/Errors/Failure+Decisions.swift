internal import MapModel
package import Platform
internal import Store

/// What a run does after a failure, beyond its disposition.
extension Failure {
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

  /// The same for one operation: what the device owes waits for whatever may change, and what a user does not get is
  /// known now.
  func keeps(_ operation: Operation) -> Bool {
    if operation.isOwed { return keepsInQueue || disposition != .cancelled }
    if case .packagesRefused(let refused, _, _) = self, case .install(let ids, _, _) = operation {
      return !refused.allSatisfy { id in PackageID(id).map { ids.includes($0) } ?? false }
    }
    return keepsInQueue
  }

  /// Another attempt may succeed by itself: the process had too little memory, or too many files open.
  var isOfShortage: Bool {
    switch self {
    case .noMemory, .patch(_, _, .shortage): true
    default: errno?.isOfShortage ?? false
    }
  }

  /// Another server of the repository may do better.
  var isOfServer: Bool {
    switch self {
    case .unreachable, .untrustedServer, .refused, .refusedByProxy, .noSuchFile, .wrongSize, .incomplete,
      .tooLong, .badURL, .metadataMissing, .metadataNotFetched, .metadataRejected, .noReleases:
      true
    // A body that was refused may have come as it was signed: `blamesServer` is about that.
    default: false
    }
  }

  /// The server lacks one file, or has it wrong, which says nothing of its others.
  var isOfOneFile: Bool {
    switch self {
    case .wrongSize, .incomplete, .tooLong: true
    default: deniedURL != nil
    }
  }

  /// There is nobody to ask.
  var isWithoutRepository: Bool {
    if case .noRepository = self { true } else { false }
  }

  /// The bytes of a file are not those that the publisher signed.
  var blamesServer: Bool {
    if case .patch(_, _, .signed) = self { false } else { disposition == .contentRejected }
  }

  /// What a server did wrong, without what to do about it.
  var serverFailure: String { failedRequest ?? cause }

  /// What a catalog lists cannot be known.
  var isOfUnreadableCatalog: Bool {
    switch self {
    case .badCatalog, .catalogOverMemory: true
    default: errno == .input
    }
  }

  /// What a manifest could be rebuilt from is missing or wrong; any other error may be gone the next time.
  var isLoss: Bool {
    switch self {
    case .wrongDigest, .nothingToRebuild, .noRoot, .metadataMissing, .metadataRejected, .badCatalog: true
    default: isOfAbsence
    }
  }
}
