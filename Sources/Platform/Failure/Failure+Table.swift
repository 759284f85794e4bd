/// The table of failures: what happens next, how an operation ends, and what people read.
///
/// Sizes are rounded, what is needed up and what there is down, except where one has to be exactly another.
extension Failure {
  package var disposition: Disposition { row.disposition }

  /// How an operation ends that this stopped.
  package var result: ResultCode { row.result }

  /// What happened, to which file or URL, and what to do next.
  package var sentence: String { row.sentence }

  private var row: FailureRow {
    switch self {
    case .file(let error):
      FailureRow(error.errno.isOutOfSpace ? .outOfSpace : .fatal, error.result, "$1", error.advice)
    case .noRoom(let cause):
      FailureRow(
        .outOfSpace, .outOfSpace,
        "$1; free some space, or raise the quota, and run the command again: it goes on with what it "
          + "has downloaded; nothing was changed",
        cause.sentence)
    case .notDurable(let release, let cause):
      FailureRow(
        .fatal, .storage,
        "$1 is installed, but a power loss now may bring the old maps back: $2; the disk may be "
          + "failing, check the kernel's log",
        release, cause.sentence)
    case .noMemory: FailureRow(.fatal, .overBudget, "out of memory; nothing was changed")
    case .budgetTooSmall(let limit, let needed):
      FailureRow(
        .fatal, .overBudget,
        "only $1 of memory may be used, and $2 are needed; raise memory_budget or the limit of "
          + "the calling process (ulimit -d)",
        ByteCount(limit).text, ByteCount(needed).atLeast)
    case .cancelled: FailureRow(.cancelled, .cancelled, "cancelled; nothing was changed")
    case .stopped:
      FailureRow(
        .stopped, .cancelled,
        "stopped; the operation waits in the queue, and the next run resumes it")

    case .busy(let path):
      FailureRow(
        .busy, .busy,
        "$1 is in use by another tinyupdater; wait until it has finished, or stop it",
        path)
    case .heldByReader(let path):
      FailureRow(
        .busy, .busy,
        "a program still reads the maps in $1, which are to be replaced in place; nothing was changed: "
          + "end it, or have it let go of them when \"in-place\" appears in the store (docs/readers.md), "
          + "and run the command again",
        path)
    case .noStore(let path):
      FailureRow(.fatal, .unusable, "there is no store at $1 yet; \"tinyupdater install\" makes one", path)
    case .unusableStore(let path, let flaw):
      FailureRow(.fatal, .unusable, "$1 is not a usable store: $2", path, flaw.sentence)
    case .badManifest(let path, let line):
      FailureRow(
        .fatal, .storage,
        "$1 is $2; \"tinyupdater boot\" or \"tinyupdater repair\" makes it again",
        path, line == 0 ? "missing" : "damaged (line \(line))")
    case .wrongContent(let path):
      FailureRow(.contentRejected, .rejected, "$1 is not what the catalog lists; nothing was changed", path)
    case .serviceBroken:
      FailureRow(
        .fatal, .unusable,
        "the process that programs talk to has ended unexpectedly; the log or the kernel's log may say why, "
          + "and \"tinyupdater serve\" starts it again")
    case .nothingToRollBack: FailureRow(.fatal, .usage, "there is no previous generation to roll back to")
    case .nothingStaged:
      FailureRow(.fatal, .usage, "no release is staged; \"tinyupdater apply --stage\" stages the newest one")
    case .notStaged(let name, let staged):
      FailureRow(.fatal, .usage, "$1 is not staged: $2 is", name, staged)
    case .notInEffect(let release, let time, let name):
      FailureRow(
        .fatal, .withheld,
        "$1 is in effect from $2 on; \"tinyupdater activate --release $3\" switches to it now", release, time,
        name)
    case .standbyIncomplete(let release):
      FailureRow(
        .fatal, .usage,
        "$1 was staged for other maps than those that are installed now, or some of it is lost; \"tinyupdater apply "
          + "--stage\" completes it",
        release)
    case .queueFull(let path):
      FailureRow(.busy, .busy, "$1 is full; wait until some operations are done, or cancel them", path)
    case .tooManyExceptions(let number):
      FailureRow(
        .fatal, .usage,
        "operation $1 has as many exceptions as it can have; cancel all of it instead",
        "\(number)")
    case .damaged(let count):
      FailureRow(
        .fatal, .storage,
        "$1 installed component$2 damaged; \"tinyupdater repair\" downloads what is damaged again",
        "\(count)", count == 1 ? " is" : "s are")
    case .nothingToRebuild(let path):
      FailureRow(.fatal, .storage, "$1 has none of the maps that the installed release lists", path)
    case .mapsLost(let path):
      FailureRow(
        .fatal, .storage,
        "$1 has lost all maps, and the list of what was installed: the storage may be failing, check "
          + "the kernel's log; \"tinyupdater install ID…\" downloads them again",
        path)

    case .outOfSpace(let needed, let available, let path):
      FailureRow(
        .outOfSpace, .outOfSpace,
        "$1 has $2 available and the update needs $3; free $4, uninstall maps, or raise "
          + "storage_limit if it is set; nothing was changed",
        path, ByteCount(available).text, ByteCount(needed).atLeast,
        ByteCount(needed - min(available, needed)).atLeast)
    case .outOfFiles(let needed, let available, let path):
      FailureRow(
        .outOfSpace, .outOfSpace,
        "the file system of $1 has room for $2 more files (inodes) and the update needs $3; remove $4 "
          + "files or uninstall maps; nothing was downloaded",
        path, "\(available)", "\(needed)", "\(needed - min(available, needed))")
    case .noSpaceForIndex(let name, let needed, let available):
      FailureRow(
        .outOfSpace, .outOfSpace,
        "the index of $1 needs at least $2 and $3 are available; free $4 or more, or "
          + "uninstall maps; nothing was changed",
        name, ByteCount(needed).atLeast, ByteCount(available).text,
        ByteCount(needed - min(available, needed)).atLeast)
    case .mapsShared(let count, let needed, let available, let path):
      FailureRow(
        .outOfSpace, .outOfSpace,
        "$1 has $2 available and the update needs $3 beside the maps: in place, $4 of the old "
          + "ones give nothing back, since they have other names (an export or a backup with hard links, "
          + "or a program that reads an older release); remove those, or free space; nothing was changed",
        path, ByteCount(available).text, ByteCount(needed).atLeast, "\(count)")
    case .noHoles(let needed, let available, let path):
      FailureRow(
        .outOfSpace, .outOfSpace,
        "$1 has $2 available and the update needs $3 at least: its file system cannot give back "
          + "parts of a map while a new one is made; free some space or uninstall maps; nothing was changed",
        path, ByteCount(available).text, ByteCount(needed).atLeast)

    case .unreachable(let url, let cause, let attempts):
      FailureRow(
        .retryLater, .connectionFailed,
        "$1 was not reached in $2 attempt$3 ($4); run the command again when the connection is back, "
          + "it resumes where it stopped",
        url, "\(attempts)", attempts == 1 ? "" : "s", cause)
    case .untrustedServer(let url, let cause):
      FailureRow(.retryLater, .connectionFailed, "the server of $1 could not prove who it is: $2", url, cause)
    case .badAuthorities(let path):
      FailureRow(
        .fatal, .unusable,
        "$1 has no certificate of an authority that can be read, so that no server can prove who it "
          + "is; install the system's (the package is often ca-certificates), or set "
          + "certificate_authorities",
        path)
    case .badCredentials(let cause):
      FailureRow(
        .fatal, .unusable,
        "this device cannot prove who it is ($1); check client_certificate, client_key and "
          + "authorization",
        cause)
    case .refused(let url, 401):
      FailureRow(
        .retryLater, .connectionFailed,
        "the server answered 401 for $1: authentication required; check authorization", url)
    case .refused(let url, 400) where url.utf8.starts(with: "https:".utf8):
      FailureRow(
        .retryLater, .connectionFailed,
        "the server answered 400 for $1; if it asks devices for a certificate, set client_certificate and "
          + "client_key; otherwise check the repository setting, or tell the publisher",
        url)
    case .refused(let url, let status) where status == 404 || status == 410:
      FailureRow(
        .retryLater, .connectionFailed,
        "the server answered $1 for $2, which is not there, or not any more: run the command again for what "
          + "is served now; if that does not help, check the repository setting, or tell the publisher",
        "\(status)", url)
    case .refused(let url, let status):
      FailureRow(
        .retryLater, .connectionFailed,
        "the server answered $1 for $2; check the repository setting, or tell the publisher", "\(status)", url
      )
    case .packagesRefused(let ids, let cause, let release):
      FailureRow(
        .retryLater, .refused,
        "this device does not get $1$2 of $3 ($4); nothing was changed: run the command again when the publisher "
          + "gives it; an update over https goes on without it where refused = leave-out is set, or it is uninstalled",
        Array(ids.prefix(3)).listed, ids.count > 3 ? " and \(ids.count - 3) more" : "", release, cause)
    case .refusedByProxy(let url, let status, let proxy):
      FailureRow(
        .retryLater, .connectionFailed, "the proxy $1 answered $2 for $3$4",
        proxy ?? "that the environment names", "\(status)", url,
        status == 407 ? ": authentication required; check authorization" : "; check the proxy setting")
    case .noSuchFile(let url):
      FailureRow(
        .retryLater, .connectionFailed,
        "there is no $1, or it may not be read; if it is on a stick, attach that and run the command "
          + "again, which resumes; otherwise check the repository setting",
        url)
    case .wrongSize(let url, let expected, let found):
      FailureRow(
        .contentRejected, .rejected,
        "$1 has $2 bytes where the catalog says $3; tell the publisher",
        url, "\(found)", "\(expected)")
    case .incomplete(let url, let expected, let found):
      FailureRow(
        .retryLater, .connectionFailed,
        "$1 has $2 of $3 on the server, and may still be copied there; run the command again "
          + "later, and tell the publisher if it stays so",
        url, ByteCount(found).text, ByteCount(expected).atLeast)
    case .tooLong(let url, let limit):
      FailureRow(
        .retryLater, .rejected,
        "$1 is larger than the $2 that it may have; tell the publisher",
        url, ByteCount(limit).text)
    case .badURL(let url, let cause):
      FailureRow(
        .retryLater, .connectionFailed,
        "$1 is not a usable URL ($2); check the repository setting",
        url, cause)
    case .refusedBody(let url):
      FailureRow(.contentRejected, .rejected, "$1 is not what it must be; tell the publisher", url)
    case .runLimitReached:
      FailureRow(
        .retryLater, .connectionFailed,
        "download_limit is reached; what came is kept, and the next run continues there")
    case .dayLimitReached:
      FailureRow(
        .retryLater, .connectionFailed,
        "download_limit_day is reached; what came is kept, and the first run of the next day continues "
          + "there (after midnight UTC; as long as the clock is not set, after 24 hours or 8 starts)")
    case .noNetwork(let cause):
      FailureRow(.fatal, .overBudget, "the network library could not be started ($1)", cause)
    case .offline:
      FailureRow(
        .retryLater, .connectionFailed,
        "offline = yes forbids any connection, and this needs one; set offline = no, or name a "
          + "repository on a stick with --repository file:///…")
    case .noRepository:
      FailureRow(
        .fatal, .unusable,
        "no repository is set; give --repository URL or set \"repository\" in the configuration")

    case .noRoot: FailureRow(.fatal, .unusable, "there is no trusted root.json")
    case .noTrustedRoot(let path):
      FailureRow(
        .fatal, .unusable,
        "this device trusts no publisher yet: there is no $1; copy metadata/1.root.json there from the "
          + "publisher's own machine, or name another file with trusted_root in the configuration",
        path)
    case .metadataMissing(let sentence), .metadataNotFetched(let sentence):
      FailureRow(.retryLater, .connectionFailed, "$1", sentence)
    case .metadataOverMemory(let sentence):
      FailureRow(.fatal, .overBudget, "$1; tell the publisher to withdraw old releases", sentence)
    case .metadataRejected(let sentence): FailureRow(.retryLater, .rejected, "$1", sentence)
    case .noReleases(let url):
      FailureRow(.contentRejected, .rejected, "$1 has no release for this device", url)
    case .wrongDigest(let url):
      FailureRow(
        .contentRejected, .rejected,
        "$1 is not the file that was announced (wrong SHA-256); nothing was changed, tell the publisher",
        url)
    case .badCatalog(let sentence): FailureRow(.contentRejected, .rejected, "$1", sentence)
    case .catalogOverMemory(let sentence): FailureRow(.fatal, .overBudget, "$1", sentence)
    case .catalogTooLarge(let url, let size, let limit):
      FailureRow(
        .contentRejected, .rejected,
        "$1 has $2, and no device reads a catalog of more than $3; nothing was changed, tell the "
          + "publisher",
        url, ByteCount(size).atLeast, ByteCount(limit).text)
    case .wrongRelease(let path):
      FailureRow(
        .contentRejected, .rejected,
        "$1 is the catalog of another release than announced; nothing was changed, tell the publisher",
        path)
    case .lostPart(let first):
      FailureRow(
        .fatal, .rejected,
        "the part of the catalog that begins with $1 is lost; \"tinyupdater repair\" fetches it again",
        first)
    case .patch(let path, let cause, let fault):
      switch fault {
      case .altered, .signed: FailureRow(.contentRejected, .rejected, "$1 $2", path, cause)
      case .overMemory, .shortage: FailureRow(.fatal, .overBudget, "$1 $2", path, cause)
      }

    case .payloadLost(let url):
      FailureRow(
        .contentRejected, .rejected,
        "$1, which was stored for the update in place, is lost; run \"tinyupdater apply\" again",
        url ?? "a map")
    case .badPayload(let url):
      FailureRow(
        .contentRejected, .rejected,
        "$1 is as the publisher signed it, and does not make the map that the catalog lists; tell the "
          + "publisher",
        url)
    case .baseLost:
      FailureRow(
        .fatal, .storage,
        "a map that another was to be made from is damaged; \"tinyupdater repair\" downloads what is "
          + "damaged again")

    case .configuration(let sentence): FailureRow(.fatal, .unusable, "$1", sentence)
    case .unknownPackages(let ids, let meant):
      FailureRow(
        .fatal, .usage, "the catalog has no package or region $1; $2",
        ids.listed, meant.question ?? "\"tinyupdater list\" shows what there is")
    case .notInstalled(let ids, let meant):
      FailureRow(
        .fatal, .usage, "$1 $2 not installed; $3",
        ids.listed, ids.count == 1 ? "is" : "are", meant.question ?? "\"tinyupdater list\" shows what is")
    case .badRoute(let path, let cause):
      FailureRow(
        .fatal, .usage, "$1 is not a route that can be read: $2; give a GeoJSON or GPX file", path, cause)
    case .tooManyNear(let limit):
      FailureRow(.fatal, .usage, "more than $1 packages are there; give a smaller distance", "\(limit)")
    case .tooManyRegions(let limit):
      FailureRow(
        .fatal, .overBudget,
        "the catalog has more than the $1 regions that fit into memory; show fewer levels with "
          + "--depth, or one region by its id",
        "\(limit)")
    case .tooManyGroups(let limit):
      FailureRow(
        .fatal, .overBudget,
        "the catalog names more than $1 data groups; tell the publisher",
        "\(limit)")
    case .unknownGroups(let groups, let known):
      FailureRow(
        .fatal, .usage,
        "there is no data group $1; $2",
        groups.listed,
        groups.first.flatMap { Spelling.closest(to: $0, among: known) }.question
          ?? "the data groups are \(known.listed)")
    case .fixedGroup(let group):
      FailureRow(
        .fatal, .usage,
        "$1 cannot be deselected: every package needs it, or too many are deselected already",
        group)
    case .tooManyPackages(let path, let limit):
      FailureRow(
        .fatal, .unusable,
        "$1 has too many incomplete regions: more than $2 packages would have to be named one by one; "
          + "name the packages or regions to install",
        path, "\(limit)")
    case .notOffered(let name, let newest):
      FailureRow(
        .fatal, .usage,
        "$1 is not a release that this device can update to; the newest one is $2",
        name, newest)
    case .releaseBlocked(let sentence):
      FailureRow(.fatal, .usage, "the installed release is no longer served, and $1", sentence)
    case .recalled(let release, let reason):
      FailureRow(
        .fatal, .withheld,
        "$1 is recalled by its publisher ($2); \"tinyupdater apply\" takes what is served now",
        release, reason)
    case .recalledWithoutOther(let release, let reason):
      FailureRow(
        .contentRejected, .withheld,
        "$1 is recalled by its publisher ($2), and the repository has no other release for this device; the maps stay",
        release, reason)
    case .withheld(let release, let number, let ids, let count):
      FailureRow(
        .fatal, .withheld,
        "$1 no longer has $2$3, and nothing in $4 place: it waits until \"tinyupdater apply --release "
          + "$5\" installs it anyway; nothing was changed",
        release, ids.listed, count > ids.count ? " and \(count - ids.count) more" : "",
        count == 1 ? "its" : "their", "\(number)")
    case .applicationTooOld(let needed, let has, let release):
      FailureRow(
        .fatal, .applicationTooOld,
        "$1 needs version $2 of the application, and this device has $3; the maps stay as they are "
          + "until the application is updated",
        release, "\(needed)", "\(has)")
    case .noPatch(let name, let size):
      FailureRow(
        .fatal, .connectionFailed,
        "$1 would come in full ($2), as none of its patches can be used here, and fallback = "
          + "never forbids that; nothing was changed: bring it on a stick (--from), or set fallback = full",
        name, ByteCount(size).text)
    case .notRepairable(let release):
      FailureRow(
        .fatal, .storage,
        "$1 is no longer served, so its damaged maps cannot be downloaded again; \"tinyupdater apply\" "
          + "updates to a newer release and mends it; nothing was changed",
        release)
    case .index(let name, let command, let cause):
      FailureRow(
        .fatal, .unusable,
        "no index of $1 was made: $2 $3; nothing was changed",
        name, command, cause)
    case .inPlaceStopped(let cause):
      FailureRow(
        cause.disposition, cause.result,
        "the update in place stopped: $1; the maps that change are not there until it is done: $2run "
          + "\"tinyupdater apply\" again, which resumes it",
        cause.cause, cause.disposition == .outOfSpace ? "free some space and " : "")
    case .inPlacePending(let release):
      FailureRow(
        .fatal, .usage,
        "an update in place$1 is not finished; \"tinyupdater apply\" finishes it, and then run the "
          + "command again",
        release.map { " to \($0)" } ?? "")

    case .badArchive(let sentence):
      FailureRow(.fatal, .rejected, "$1; nothing was changed, copy it again or ask for another one", sentence)
    case .notInBundle(let name, let path):
      FailureRow(
        .fatal, .rejected,
        "$1 has no $2, which this device needs: it was made for other maps, or to update from another "
          + "release, or maps on the device are damaged (\"tinyupdater verify\"); nothing was changed",
        path, name)
    case .otherRelease(let installed, let bundle, let path):
      FailureRow(
        .fatal, .usage,
        "$1 has $2, and $3 is installed; \"tinyupdater apply --from\" updates to it; nothing was "
          + "changed",
        path, bundle, installed)
    case .noPackages(let path):
      FailureRow(
        .fatal, .rejected,
        "$1 has no package as a whole; make one with \"tinypublish bundle\" without --from; nothing "
          + "was changed",
        path)
    case .notEmpty(let path):
      FailureRow(.fatal, .usage, "$1 exists and is not empty; remove it, or choose another name", path)
    case .fileExists(let path):
      FailureRow(.fatal, .usage, "$1 exists; remove it, or choose another name", path)
    case .nothingToExport(let path):
      FailureRow(.fatal, .usage, "$1 has no maps that could be exported; install some first", path)
    }
  }
}

extension String? {
  /// Asks whether it was meant.
  fileprivate var question: String? { map { "did you mean \($0)?" } }
}
