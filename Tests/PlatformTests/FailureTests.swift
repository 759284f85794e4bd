import Platform
import Testing

private let full = FileError(.noSpace, path: "f")
private let quota = FileError(.quotaExceeded, path: "f")
private let broken = FileError(.input, path: "f")
private let noMemory = FileError(.outOfMemory, path: "f")

/// Exit codes are an interface: this table is `docs/exit-codes.md`, failure by failure.
@Suite("Failure")
struct FailureTests {
  @Test("the codes and names are those of the document")
  func codes() {
    let table: [(ResultCode, Int32, String)] = [
      (.success, 0, "Success"), (.updateAvailable, 10, "UpdateAvailable"),
      (.applicationTooOld, 11, "ApplicationTooOld"), (.incomplete, 12, "Incomplete"),
      (.withheld, 13, "Withheld"), (.expired, 14, "Expired"), (.refused, 15, "Refused"),
      (.connectionFailed, 20, "ConnectionFailed"),
      (.rejected, 21, "Rejected"), (.outOfSpace, 22, "OutOfSpace"), (.overBudget, 23, "OverBudget"),
      (.storage, 24, "StorageFailed"), (.busy, 25, "Busy"), (.cancelled, 26, "OperationCancelled"),
      (.usage, 64, "InvalidParameters"), (.unusable, 78, "InitializationFailed"),
    ]
    for (status, code, name) in table { #expect(status.rawValue == code && status.name == name) }
    #expect(table.map { $0.0 } == ResultCode.allCases)
  }

  @Test(
    "each failure says what happens next, how the operation ends, and one sentence",
    arguments: [
      (.file(full), .outOfSpace, .outOfSpace), (.file(quota), .outOfSpace, .outOfSpace),
      (.file(broken), .fatal, .storage), (.file(noMemory), .fatal, .overBudget),
      (.noRoom(quota), .outOfSpace, .outOfSpace),
      (.notDurable(release: "r", broken), .fatal, .storage), (.noMemory, .fatal, .overBudget),
      (.budgetTooSmall(1, needed: 2), .fatal, .overBudget), (.cancelled, .cancelled, .cancelled),
      (.stopped, .stopped, .cancelled),

      (.busy(path: "p"), .busy, .busy), (.heldByReader(path: "p"), .busy, .busy),
      (.noStore(path: "p"), .fatal, .unusable),
      (.unusableStore(path: "p", .strayCurrent), .fatal, .unusable),
      (.unusableStore(path: "p", .noHardLinks), .fatal, .unusable),
      (.unusableStore(path: "p", .noSymbolicLinks), .fatal, .unusable),
      (.unusableStore(path: "p", .foreignFile("f")), .fatal, .unusable),
      (.badManifest(path: "p", line: 1), .fatal, .storage),
      (.wrongContent(path: "p"), .contentRejected, .rejected), (.nothingToRollBack, .fatal, .usage),
      (.nothingStaged, .fatal, .usage), (.notStaged("a", staged: "b"), .fatal, .usage),
      (.notInEffect(release: "r", from: "t", name: "n"), .fatal, .withheld),
      (.standbyIncomplete(release: "r"), .fatal, .usage),
      (.recalled(release: "r", reason: "x"), .fatal, .withheld),
      (.recalledWithoutOther(release: "r", reason: "x"), .contentRejected, .withheld),
      (.badRoute(path: "p", "c"), .fatal, .usage), (.tooManyNear(limit: 1), .fatal, .usage),
      (.serviceBroken, .fatal, .unusable),
      (.queueFull(path: "p"), .busy, .busy), (.tooManyExceptions(operation: 1), .fatal, .usage),
      (.damaged(components: 1), .fatal, .storage), (.nothingToRebuild(path: "p"), .fatal, .storage),
      (.mapsLost(path: "p"), .fatal, .storage),

      (.outOfSpace(needed: 2, available: 1, path: "p"), .outOfSpace, .outOfSpace),
      (.outOfFiles(needed: 2, available: 1, path: "p"), .outOfSpace, .outOfSpace),
      (.noSpaceForIndex(component: "a/b", needed: 2, available: 1), .outOfSpace, .outOfSpace),
      (.mapsShared(1, needed: 2, available: 1, path: "p"), .outOfSpace, .outOfSpace),
      (.noHoles(needed: 2, available: 1, path: "p"), .outOfSpace, .outOfSpace),
    ] as [(Failure, Disposition, ResultCode)])
  func device(failure: Failure, disposition: Disposition, result: ResultCode) {
    expect(failure, disposition, result)
  }

  @Test(
    "so does each one of the network",
    arguments: [
      (.unreachable(url: "u", cause: "c", attempts: 1), .retryLater, .connectionFailed),
      (.untrustedServer(url: "u", cause: "c"), .retryLater, .connectionFailed),
      (.badAuthorities(path: "p"), .fatal, .unusable), (.badCredentials(cause: "c"), .fatal, .unusable),
      (.refused(url: "u", status: 401), .retryLater, .connectionFailed),
      (.refused(url: "https://u", status: 400), .retryLater, .connectionFailed),
      (.refused(url: "u", status: 404), .retryLater, .connectionFailed),
      (.refused(url: "u", status: 503), .retryLater, .connectionFailed),
      (.refusedByProxy(url: "u", status: 407, proxy: nil), .retryLater, .connectionFailed),
      (.noSuchFile(url: "u"), .retryLater, .connectionFailed),
      (.wrongSize(url: "u", expected: 1, found: 2), .contentRejected, .rejected),
      (.incomplete(url: "u", expected: 2, found: 1), .retryLater, .connectionFailed),
      (.tooLong(url: "u", limit: 1), .retryLater, .rejected),
      (.badURL(url: "u", cause: "c"), .retryLater, .connectionFailed),
      (.refusedBody(url: "u"), .contentRejected, .rejected),
      (.runLimitReached, .retryLater, .connectionFailed), (.dayLimitReached, .retryLater, .connectionFailed),
      (.noNetwork(cause: "c"), .fatal, .overBudget), (.offline, .retryLater, .connectionFailed),
      (.noRepository, .fatal, .unusable),
    ] as [(Failure, Disposition, ResultCode)])
  func network(failure: Failure, disposition: Disposition, result: ResultCode) {
    expect(failure, disposition, result)
  }

  @Test(
    "so does each one of what the publisher signed, and of what was asked for",
    arguments: [
      (.noRoot, .fatal, .unusable), (.noTrustedRoot(path: "r"), .fatal, .unusable),
      (.metadataMissing(sentence: "s"), .retryLater, .connectionFailed),
      (.metadataNotFetched(sentence: "s"), .retryLater, .connectionFailed),
      (.metadataOverMemory(sentence: "s"), .fatal, .overBudget),
      (.metadataRejected(sentence: "s"), .retryLater, .rejected),
      (.noReleases(url: "u"), .contentRejected, .rejected),
      (.wrongDigest(url: "u"), .contentRejected, .rejected),
      (.badCatalog(sentence: "s"), .contentRejected, .rejected),
      (.catalogOverMemory(sentence: "s"), .fatal, .overBudget),
      (.catalogTooLarge(url: "u", size: 2, limit: 1), .contentRejected, .rejected),
      (.wrongRelease(path: "p"), .contentRejected, .rejected),
      (.lostPart(firstPackage: "a"), .fatal, .rejected),
      (.patch(path: "p", cause: "is not a patch", .altered), .contentRejected, .rejected),
      (.patch(path: "p", cause: "is not a patch", .signed), .contentRejected, .rejected),
      (.patch(path: "p", cause: "needs memory", .overMemory), .fatal, .overBudget),
      (.patch(path: "p", cause: "needs memory", .shortage), .fatal, .overBudget),
      (.payloadLost(url: "u"), .contentRejected, .rejected),
      (.badPayload(url: "u"), .contentRejected, .rejected), (.baseLost, .fatal, .storage),

      (.configuration(sentence: "s"), .fatal, .unusable), (.unknownPackages(["a"]), .fatal, .usage),
      (.notInstalled(["a", "b"]), .fatal, .usage), (.tooManyRegions(limit: 1), .fatal, .overBudget),
      (.tooManyGroups(limit: 1), .fatal, .overBudget),
      (.unknownGroups(["a"], known: ["base"]), .fatal, .usage), (.fixedGroup("base"), .fatal, .usage),
      (.tooManyPackages(path: "p", limit: 1), .fatal, .unusable),
      (.notOffered("r3", newest: "r2"), .fatal, .usage), (.releaseBlocked(sentence: "s"), .fatal, .usage),
      (.withheld(release: "r", number: 1, packages: ["a"], count: 2), .fatal, .withheld),
      (.applicationTooOld(needed: 2, has: 1, release: "r"), .fatal, .applicationTooOld),
      (.noPatch(component: "a/b", size: 1), .fatal, .connectionFailed),
      (.notRepairable(release: "r"), .fatal, .storage),
      (.index(component: "a/b", command: "/i", cause: "exited with 3"), .fatal, .unusable),
      (.inPlaceStopped(.file(full)), .outOfSpace, .outOfSpace),
      (.inPlaceStopped(.file(broken)), .fatal, .storage), (.inPlacePending(release: nil), .fatal, .usage),

      (.badArchive(sentence: "s"), .fatal, .rejected),
      (.notInBundle(name: "n", path: "p"), .fatal, .rejected),
      (.otherRelease("r1", bundle: "r2", path: "p"), .fatal, .usage),
      (.noPackages(path: "p"), .fatal, .rejected), (.notEmpty(path: "p"), .fatal, .usage),
      (.fileExists(path: "p"), .fatal, .usage), (.nothingToExport(path: "p"), .fatal, .usage),
    ] as [(Failure, Disposition, ResultCode)])
  func content(failure: Failure, disposition: Disposition, result: ResultCode) {
    expect(failure, disposition, result)
  }

  @Test("what a system call says of a file has advice only where that ends the message")
  func advice() {
    let failure = Failure(.noSpace, path: "/maps")
    #expect(failure.cause == "/maps: No space left on device")
    #expect(
      failure.sentence
        == "/maps: No space left on device; free some space and run it again, nothing was changed")
    #expect(failure.beforeWriting == .noRoom(FileError(.noSpace, path: "/maps")))
    #expect(
      Failure.inPlaceStopped(failure).sentence.contains("stopped: /maps: No space left on device; the maps"))
  }

  @Test("the server's word that a file is not there is told from every other answer")
  func absence() {
    for status in [403, 404] { #expect(Failure.refused(url: "u", status: status).isAbsentOnServer) }
    #expect(!Failure.refused(url: "u", status: 410).isAbsentOnServer)
    #expect(!Failure.wrongDigest(url: "u").isAbsentOnServer)
    #expect(Failure.refused(url: "u", status: 410).absentURL == "u")
    #expect(Failure.refused(url: "u", status: 500).absentURL == nil)
    #expect(Failure.noSuchFile(url: "u").absentURL == "u")
  }

  private func expect(_ failure: Failure, _ disposition: Disposition, _ result: ResultCode) {
    #expect(failure.disposition == disposition)
    #expect(failure.result == result)
    #expect(!failure.sentence.isEmpty && !failure.sentence.contains("\n") && !failure.sentence.contains("$"))
  }
}
