/// The table of failures: what happens next, how an operation ends, and what people read.
extension Failure {
  package var disposition: Disposition {
    var found = Disposition.fatal
    look { disposition, _, _ in found = disposition }
    return found
  }

  /// How an operation ends that this stopped.
  package var result: ResultCode {
    var found = ResultCode.storage
    look { _, result, _ in found = result }
    return found
  }

  /// What happened, to which file or URL, and what to do next.
  package var sentence: String {
    var text = ""
    look { _, _, sentence in text = sentence() }
    return text
  }

  /// Shows `row` this failure's row; its sentence is made only if it is asked for.
  private func look(_ row: (Disposition, ResultCode, () -> String) -> Void) {
    switch self {
    case .file(let error):
      row(error.errno.isOutOfSpace ? .outOfSpace : .fatal, error.result) { error.advice }
    case .noRoom(let cause):
      row(.outOfSpace, .outOfSpace) {
        "\(cause.sentence); free some space, or raise the quota, and run the command again: it goes on with what it has "
          + "downloaded; nothing was changed"
      }
    case .notDurable(let release, let cause):
      row(.fatal, .storage) {
        "\(release) is installed, but a power loss now may bring the old maps back: \(cause.sentence); the disk may be "
          + "failing, check the kernel's log"
      }
    case .noMemory: row(.fatal, .overBudget) { "out of memory; nothing was changed" }
    case .budgetTooSmall(let limit, let needed):
      row(.fatal, .overBudget) {
        "only \(limit) bytes of memory may be used, and \(needed) are needed; raise memory_budget or the limit of the "
          + "calling process (ulimit -d)"
      }
    case .cancelled: row(.cancelled, .cancelled) { "cancelled; nothing was changed" }
    case .stopped:
      row(.stopped, .cancelled) { "stopped; the operation waits in the queue, and the next run resumes it" }

    case .busy(let path):
      row(.busy, .busy) { "\(path) is in use by another tinyupdater; wait until it has finished, or stop it" }
    case .heldByReader(let path):
      row(.busy, .busy) {
        "a program still reads the maps in \(path), which are to be replaced in place; nothing was changed: end it, or "
          + "have it let go of them when \"in-place\" appears in the store (docs/readers.md), and run the command again"
      }
    case .noStore(let path):
      row(.fatal, .unusable) { "there is no store at \(path) yet; \"tinyupdater install\" makes one" }
    case .unusableStore(let path, let flaw):
      row(.fatal, .unusable) { "\(path) is not a usable store: \(flaw.sentence)" }
    case .badManifest(let path, let line):
      row(.fatal, .storage) {
        "\(path) is \(line == 0 ? "missing" : "damaged (line \(line))"); \"tinyupdater boot\" or \"tinyupdater repair\" "
          + "makes it again"
      }
    case .wrongContent(let path):
      row(.contentRejected, .rejected) { "\(path) is not what the catalog lists; nothing was changed" }
    case .nothingToRollBack: row(.fatal, .usage) { "there is no previous generation to roll back to" }
    case .queueFull(let path):
      row(.busy, .busy) { "\(path) is full; wait until some operations are done, or cancel them" }
    case .tooManyExceptions(let number):
      row(.fatal, .usage) {
        "operation \(number) has as many exceptions as it can have; cancel all of it instead"
      }
    case .damaged(let count):
      row(.fatal, .storage) {
        "\(count) installed component\(count == 1 ? " is" : "s are") damaged; \"tinyupdater repair\" downloads what is "
          + "damaged again"
      }
    case .nothingToRebuild(let path):
      row(.fatal, .storage) { "\(path) has none of the maps that the installed release lists" }
    case .mapsLost(let path):
      row(.fatal, .storage) {
        "\(path) has lost all maps, and the list of what was installed: the storage may be failing, check the kernel's "
          + "log; \"tinyupdater install ID…\" downloads them again"
      }

    case .outOfSpace(let needed, let available, let path):
      row(.outOfSpace, .outOfSpace) {
        "\(path) has \(available) bytes available and the update needs \(needed); free \(needed - min(available, needed)) "
          + "bytes or uninstall maps; nothing was changed"
      }
    case .outOfFiles(let needed, let available, let path):
      row(.outOfSpace, .outOfSpace) {
        "the file system of \(path) has room for \(available) more files (inodes) and the update needs \(needed); remove "
          + "\(needed - min(available, needed)) files or uninstall maps; nothing was downloaded"
      }
    case .noSpaceForIndex(let name, let needed, let available):
      row(.outOfSpace, .outOfSpace) {
        "the index of \(name) needs at least \(needed) bytes and \(available) are available; free "
          + "\(needed - min(available, needed)) bytes or more, or uninstall maps; nothing was changed"
      }
    case .mapsShared(let count, let needed, let available, let path):
      row(.outOfSpace, .outOfSpace) {
        "\(path) has \(available) bytes available and the update needs \(needed) beside the maps: in place, \(count) of "
          + "the old ones give nothing back, since they have other names (an export or a backup with hard links, or a "
          + "program that reads an older release); remove those, or free space; nothing was changed"
      }
    case .noHoles(let needed, let available, let path):
      row(.outOfSpace, .outOfSpace) {
        "\(path) has \(available) bytes available and the update needs \(needed) at least: its file system cannot give "
          + "back parts of a map while a new one is made; free some space or uninstall maps; nothing was changed"
      }

    case .unreachable(let url, let cause, let attempts):
      row(.retryLater, .connectionFailed) {
        "\(url) was not reached in \(attempts) attempt\(attempts == 1 ? "" : "s") (\(cause)); run the command again when "
          + "the connection is back, it resumes where it stopped"
      }
    case .untrustedServer(let url, let cause):
      row(.retryLater, .connectionFailed) { "the server of \(url) could not prove who it is: \(cause)" }
    case .badAuthorities(let path):
      row(.fatal, .unusable) {
        "\(path) has no certificate of an authority that can be read, so that no server can prove who it is; install the "
          + "system's (the package is often ca-certificates), or set certificate_authorities"
      }
    case .badCredentials(let cause):
      row(.fatal, .unusable) {
        "this device cannot prove who it is (\(cause)); check client_certificate, client_key and authorization"
      }
    case .refused(let url, let status):
      row(.retryLater, .connectionFailed) { Failure.refusal(of: url, status) }
    case .refusedByProxy(let url, let status, let proxy):
      row(.retryLater, .connectionFailed) {
        "the proxy \(proxy.map { "\($0) " } ?? "that the environment names ")answered \(status) for \(url)"
          + (status == 407 ? ": authentication required; check authorization" : "; check the proxy setting")
      }
    case .noSuchFile(let url):
      row(.retryLater, .connectionFailed) {
        "there is no \(url), or it may not be read; if it is on a stick, attach that and run the command again, which "
          + "resumes; otherwise check the repository setting"
      }
    case .wrongSize(let url, let expected, let found):
      row(.contentRejected, .rejected) {
        "\(url) has \(found) bytes where the catalog says \(expected); tell the publisher"
      }
    case .incomplete(let url, let expected, let found):
      row(.retryLater, .connectionFailed) {
        "\(url) has \(found) of \(expected) bytes on the server, and may still be copied there; run the command again "
          + "later, and tell the publisher if it stays so"
      }
    case .tooLong(let url, let limit):
      row(.retryLater, .rejected) {
        "\(url) is larger than the \(limit) bytes that it may have; tell the publisher"
      }
    case .badURL(let url, let cause):
      row(.retryLater, .connectionFailed) {
        "\(url) is not a usable URL (\(cause)); check the repository setting"
      }
    case .refusedBody(let url):
      row(.contentRejected, .rejected) { "\(url) is not what it must be; tell the publisher" }
    case .runLimitReached:
      row(.retryLater, .connectionFailed) {
        "download_limit is reached; what came is kept, and the next run continues there"
      }
    case .dayLimitReached:
      row(.retryLater, .connectionFailed) {
        "download_limit_day is reached; what came is kept, and the first run of the next day continues there (after "
          + "midnight UTC; as long as the clock is not set, after 24 hours or 8 starts)"
      }
    case .noNetwork(let cause):
      row(.fatal, .overBudget) { "the network library could not be started (\(cause))" }
    case .offline:
      row(.retryLater, .connectionFailed) {
        "offline = yes forbids any connection, and this needs one; set offline = no, or name a repository on a stick with "
          + "--repository file:///…"
      }
    case .noRepository:
      row(.fatal, .unusable) {
        "no repository is set; give --repository URL or set \"repository\" in the configuration"
      }

    case .noRoot: row(.fatal, .unusable) { "there is no trusted root.json" }
    case .noTrustedRoot(let path):
      row(.fatal, .unusable) {
        "this device trusts no publisher yet: there is no \(path); copy metadata/1.root.json there from the publisher's "
          + "own machine, or name another file with trusted_root in the configuration"
      }
    case .metadataMissing(let sentence), .metadataNotFetched(let sentence):
      row(.retryLater, .connectionFailed) { sentence }
    case .metadataOverMemory(let sentence):
      row(.fatal, .overBudget) { "\(sentence); tell the publisher to withdraw old releases" }
    case .metadataRejected(let sentence): row(.retryLater, .rejected) { sentence }
    case .noReleases(let url): row(.contentRejected, .rejected) { "\(url) has no release for this device" }
    case .wrongDigest(let url):
      row(.contentRejected, .rejected) {
        "\(url) is not the file that was announced (wrong SHA-256); nothing was changed, tell the publisher"
      }
    case .badCatalog(let sentence): row(.contentRejected, .rejected) { sentence }
    case .catalogOverMemory(let sentence): row(.fatal, .overBudget) { sentence }
    case .catalogTooLarge(let url, let size, let limit):
      row(.contentRejected, .rejected) {
        "\(url) has \(size) bytes, and no device reads a catalog of more than \(limit); nothing was changed, tell the "
          + "publisher"
      }
    case .wrongRelease(let path):
      row(.contentRejected, .rejected) {
        "\(path) is the catalog of another release than announced; nothing was changed, tell the publisher"
      }
    case .lostPart(let first):
      row(.fatal, .rejected) {
        "the part of the catalog that begins with \(first) is lost; \"tinyupdater repair\" fetches it again"
      }
    case .patch(let path, let cause, let fault):
      switch fault {
      case .altered, .signed: row(.contentRejected, .rejected) { "\(path) \(cause)" }
      case .overMemory, .shortage: row(.fatal, .overBudget) { "\(path) \(cause)" }
      }

    case .payloadLost(let url):
      row(.contentRejected, .rejected) {
        "\(url ?? "a map"), which was stored for the update in place, is lost; run \"tinyupdater apply\" again"
      }
    case .badPayload(let url):
      row(.contentRejected, .rejected) {
        "\(url) is as the publisher signed it, and does not make the map that the catalog lists; tell the publisher"
      }
    case .baseLost:
      row(.fatal, .storage) {
        "a map that another was to be made from is damaged; \"tinyupdater repair\" downloads what is damaged again"
      }

    case .configuration(let sentence): row(.fatal, .unusable) { sentence }
    case .unknownPackages(let ids):
      row(.fatal, .usage) {
        "the catalog has no package or region \(ids.listed); \"tinyupdater list\" shows what there is"
      }
    case .notInstalled(let ids):
      row(.fatal, .usage) {
        "\(ids.listed) \(ids.count == 1 ? "is" : "are") not installed; \"tinyupdater list\" shows what is"
      }
    case .tooManyRegions(let limit):
      row(.fatal, .overBudget) {
        "the catalog has more than the \(limit) regions that fit into memory; show fewer levels with --depth, or one "
          + "region by its id"
      }
    case .tooManyGroups(let limit):
      row(.fatal, .overBudget) { "the catalog names more than \(limit) data groups; tell the publisher" }
    case .unknownGroups(let groups, let known):
      row(.fatal, .usage) {
        "there is no data group \(groups.listed); the data groups are \(known.listed)"
      }
    case .fixedGroup(let group):
      row(.fatal, .usage) {
        "\(group) cannot be deselected: every package needs it, or too many are deselected already"
      }
    case .tooManyPackages(let path, let limit):
      row(.fatal, .unusable) {
        "\(path) has too many incomplete regions: more than \(limit) packages would have to be named one by one; name "
          + "the packages or regions to install"
      }
    case .notOffered(let name, let newest):
      row(.fatal, .usage) {
        "\(name) is not a release that this device can update to; the newest one is \(newest)"
      }
    case .releaseBlocked(let sentence):
      row(.fatal, .usage) { "the installed release is no longer served, and \(sentence)" }
    case .withheld(let release, let number, let ids, let count):
      row(.fatal, .withheld) {
        "\(release) no longer has \(ids.listed)\(count > ids.count ? " and \(count - ids.count) more" : ""), and nothing "
          + "in \(count == 1 ? "its" : "their") place: it waits until \"tinyupdater apply --release \(number)\" installs it "
          + "anyway; nothing was changed"
      }
    case .applicationTooOld(let needed, let has, let release):
      row(.fatal, .applicationTooOld) {
        "\(release) needs version \(needed) of the application, and this device has \(has); the maps stay as they are "
          + "until the application is updated"
      }
    case .noPatch(let name, let size):
      row(.fatal, .connectionFailed) {
        "\(name) would come in full (\(size) bytes), as none of its patches can be used here, and fallback = never forbids "
          + "that; nothing was changed: bring it on a stick (--from), or set fallback = full"
      }
    case .notRepairable(let release):
      row(.fatal, .storage) {
        "\(release) is no longer served, so its damaged maps cannot be downloaded again; \"tinyupdater apply\" updates to "
          + "a newer release and mends it; nothing was changed"
      }
    case .index(let name, let command, let cause):
      row(.fatal, .unusable) { "no index of \(name) was made: \(command) \(cause); nothing was changed" }
    case .inPlaceStopped(let cause):
      row(cause.disposition, cause.result) {
        "the update in place stopped: \(cause.cause); the maps that change are not there until it is done: "
          + "\(cause.disposition == .outOfSpace ? "free some space and " : "")run \"tinyupdater apply\" again, which "
          + "resumes it"
      }
    case .inPlacePending(let release):
      row(.fatal, .usage) {
        "an update in place\(release.map { " to \($0)" } ?? "") is not finished; \"tinyupdater apply\" finishes it, and "
          + "then run the command again"
      }

    case .badArchive(let sentence):
      row(.fatal, .rejected) { "\(sentence); nothing was changed, copy it again or ask for another one" }
    case .notInBundle(let name, let path):
      row(.fatal, .rejected) {
        "\(path) has no \(name), which this device needs: it was made for other maps, or to update from another release, "
          + "or maps on the device are damaged (\"tinyupdater verify\"); nothing was changed"
      }
    case .otherRelease(let installed, let bundle, let path):
      row(.fatal, .usage) {
        "\(path) has \(bundle), and \(installed) is installed; \"tinyupdater apply --from\" updates to it; nothing was "
          + "changed"
      }
    case .noPackages(let path):
      row(.fatal, .rejected) {
        "\(path) has no package as a whole; make one with \"tinypublish bundle\" without --from; nothing was changed"
      }
    case .notEmpty(let path):
      row(.fatal, .usage) { "\(path) exists and is not empty; remove it, or choose another name" }
    case .nothingToExport(let path):
      row(.fatal, .usage) { "\(path) has no maps that could be exported; install some first" }
    }
  }

  private static func refusal(of url: String, _ status: Int) -> String {
    switch status {
    case 401: "the server answered 401 for \(url): authentication required; check authorization"
    case 400 where url.utf8.starts(with: "https:".utf8):
      "the server answered 400 for \(url); if it asks devices for a certificate, set client_certificate and client_key; "
        + "otherwise check the repository setting, or tell the publisher"
    case 404, 410:
      "the server answered \(status) for \(url), which is not there, or not any more: run the command again for what is "
        + "served now; if that does not help, check the repository setting, or tell the publisher"
    default:
      "the server answered \(status) for \(url); check the repository setting, or tell the publisher"
    }
  }
}

/// What happened, without what to do about it.
extension Failure {
  /// Where more is said after it; of failures whose advice is a part of the sentence, all of it.
  package var cause: String {
    if case .file(let error) = self { error.sentence } else { sentence }
  }

  /// The URL of a request that failed, and why; nil if it is not the connection or the server that failed.
  package var failedRequest: String? {
    switch self {
    case .unreachable(let url, let cause, _), .untrustedServer(let url, let cause),
      .badURL(let url, let cause):
      "\(url): \(cause)"
    case .refused(let url, let status): "\(url): the server answered \(status)"
    case .incomplete(let url, let expected, let found): "\(url): it has \(found) of \(expected) bytes"
    case .refusedByProxy(let url, let status, _): "\(url): the proxy answered \(status)"
    case .noSuchFile(let url): "\(url): there is no such file"
    default: nil
    }
  }
}

extension FileError {
  fileprivate var result: ResultCode {
    errno.isOutOfSpace ? .outOfSpace : errno == .outOfMemory ? .overBudget : .storage
  }

  /// The sentence, and what to do about the errors that have an answer.
  fileprivate var advice: String {
    switch errno {
    case .noSpace, .quotaExceeded: "\(sentence); free some space and run it again, nothing was changed"
    case .readOnly: "\(sentence); mount it writable, nothing was changed"
    case .notAllowed: "\(sentence); run as the user that owns the store"
    case .fileTooLarge where ThisProcess.limitsFileSizes:
      "\(sentence); raise the file size limit of the calling process (ulimit -f)"
    case .fileTooLarge:
      "\(sentence); its file system does not take files of that size (FAT ends at 4 GiB): move the store to ext4, f2fs, "
        + "XFS or btrfs"
    case .notSupported:
      "\(sentence); its file system lacks what a store needs: use ext4, f2fs, btrfs, XFS or UBIFS"
    case .input: "\(sentence); the disk may be failing, check the kernel's log"
    case .notADirectory: "\(sentence); move the file with that name elsewhere, nothing was changed"
    default: "\(sentence); nothing was changed"
    }
  }
}
