import Catalog
import Codec
import DeltaApply
import JSONReading
import PatchFormat
import Platform
import Testing
import Trust

@testable import Updater

private let full = Failure(.noSpace, path: "f")
private let broken = Failure(.input, path: "f")

@Suite("What a run does after a failure")
struct FailureDecisionTests {
  @Test(
    "what passes by itself waits in the queue; only what needs space, or a user who cancels, empties staging",
    arguments: [
      (.stopped, true, false),
      (.offline, true, false),
      (.unreachable(url: "u", cause: "c", attempts: 1), true, false),
      (.refused(url: "u", status: 403), true, false),
      (.tooLong(url: "u", limit: 1), true, false),
      (.busy(path: "p"), true, false),
      (.metadataRejected(sentence: "s"), true, false),
      (.wrongDigest(url: "u"), false, false),
      (.wrongSize(url: "u", expected: 1, found: 2), false, false),
      (.patch(path: "p", cause: "c", .altered), false, false),
      (.noReleases(url: "u"), false, false),
      (.unknownPackages(["a"]), false, false),
      (.noRepository, false, false),
      (broken, false, false),
      (.noMemory, false, false),
      (.cancelled, false, true),
      (full, false, true),
      (.inPlaceStopped(full), true, false),
      (.inPlaceStopped(broken), true, false),
      (.noRoom(FileError(.quotaExceeded, path: "f")), false, false),
      (.mapsShared(1, needed: 2, available: 1, path: "p"), false, false),
      (.noHoles(needed: 2, available: 1, path: "p"), false, false),
      (.outOfSpace(needed: 2, available: 1, path: "p"), false, true),
      (.noSpaceForIndex(component: "a/b", needed: 2, available: 1), false, true),
    ] as [(Failure, Bool, Bool)])
  func afterwards(failure: Failure, isKept: Bool, isEmptying: Bool) {
    #expect(failure.keepsInQueue == isKept)
    #expect(failure.emptiesStaging == isEmptying)
  }

  @Test(
    "another server may do better, unless the failure is of this device or of what was asked for",
    arguments: [
      (.unreachable(url: "u", cause: "c", attempts: 1), true),
      (.wrongSize(url: "u", expected: 1, found: 2), true),
      (.metadataRejected(sentence: "s"), true), (.noReleases(url: "u"), true),
      (.refusedBody(url: "u"), false),
      (.runLimitReached, false), (.dayLimitReached, false), (.badCredentials(cause: "c"), false),
      (.badAuthorities(path: "p"), false), (.cancelled, false), (full, false), (.noMemory, false),
      (.metadataOverMemory(sentence: "s"), false), (.noRoot, false),
    ] as [(Failure, Bool)])
  func servers(failure: Failure, isOfServer: Bool) { #expect(failure.isOfServer == isOfServer) }

  @Test("a patch that is as it was signed is not the server's fault, and any other wrong byte is")
  func blame() {
    #expect(!Failure(.wrongResult(isOld: false), path: "p").blamesServer)
    #expect(Failure(.wrongFrame(at: 1), path: "p").blamesServer)
    #expect(Failure.wrongDigest(url: "u").blamesServer && !full.blamesServer)
  }

  @Test("a shortage of memory or descriptors passes, and nothing else does by itself")
  func shortage() {
    #expect(Failure.noMemory.isOfShortage && Failure(.outOfMemory, path: "f").isOfShortage)
    #expect(
      Failure(.hashing, path: "p").isOfShortage && Failure(.codec(.outOfMemory), path: "p").isOfShortage)
    #expect(!Failure(.overMemory(needed: 2, allowed: 1), path: "p").isOfShortage && !broken.isOfShortage)
  }
}

/// What becomes of the errors of modules that have their own.
@Suite("Failures of parsers and decoders")
struct InnerFailureTests {
  @Test("a file that cannot be read or written, and being cancelled, are the same failure everywhere")
  func files() {
    for failure in [full, broken] {
      #expect(Failure(CatalogError.file(failure)) == failure)
      #expect(Failure(TrustError.file(failure), below: "u") == failure)
      #expect(Failure(DeltaError.file(failure), path: "p") == failure)
    }
    #expect(Failure(TrustError.cancelled, below: "u") == .cancelled)
    #expect(Failure(DeltaError.cancelled, path: "p") == .cancelled)
  }

  @Test(
    "errors of signed metadata",
    arguments: [
      (.malformed(file: "f", .json(.tooDeep)), .rejected), (.malformed(file: "f", .member("m")), .rejected),
      (.mismatched(file: "f"), .rejected), (.unlisted(file: "f"), .rejected),
      (.unsigned(file: "f", delegator: "root", found: 0, threshold: 1), .rejected),
      (.wrongVersion(file: "f", expected: 1, found: 2), .rejected),
      (.rolledBack(file: "f", trusted: 2, found: 1), .rejected), (.dropped(file: "f", from: "s"), .rejected),
      (.expired(file: "f", at: 0), .rejected), (.missing(file: "f"), .connectionFailed),
      (.notFetched(file: "f"), .connectionFailed), (.moreRoots(version: 1), .connectionFailed),
      (.overMemory(file: "f"), .overBudget), (.noRoot, .unusable), (.busy(path: "p"), .busy),
    ] as [(TrustError, ResultCode)])
  func trust(error: TrustError, result: ResultCode) {
    let failure = Failure(error, below: "https://u/")
    #expect(failure.result == result)
    #expect(!failure.sentence.isEmpty && !failure.sentence.contains("\n"))
  }

  @Test("metadata that is refused names its server")
  func server() {
    let sentence = Failure(TrustError.expired(file: "timestamp.json", at: 0), below: "https://u/").sentence
    #expect(
      sentence.hasPrefix("https://u/timestamp.json expired at 1970-01-01T00:00:00Z; nothing of it is trusted")
    )
  }

  @Test(
    "errors of catalogs",
    arguments: [
      (.packed(path: "p", .overMemoryLimit), .overBudget),
      (.packed(path: "p", .outOfMemory), .overBudget), (.packed(path: "p", .corrupt), .rejected),
      (.packed(path: "p", .notXZ), .rejected), (.malformed(path: "p", line: 1, .outOfMemory), .overBudget),
      (.malformed(path: "p", line: 1, .tooDeep), .rejected),
      (.malformed(path: "p", line: 1, .hasDoctype), .rejected),
      (.notAComponent(path: "p", .truncated), .rejected),
    ] as [(CatalogError, ResultCode)])
  func catalog(error: CatalogError, result: ResultCode) { #expect(Failure(error).result == result) }

  @Test(
    "errors of patches",
    arguments: [
      (.notAPatch, .altered), (.badHead(.dictionary), .signed), (.wrongHead, .altered),
      (.wrongOldFile(found: 1, expected: 2), .signed), (.overMemory(needed: 2, allowed: 1), .overMemory),
      (.truncated(at: 1), .altered), (.trailingBytes(at: 1), .altered), (.wrongFrame(at: 1), .altered),
      (.badFrame(at: 1), .signed), (.badSection(at: 1), .signed), (.badBlock(at: 1), .signed),
      (.outsideSource(at: 1), .signed), (.codec(.corrupt), .signed), (.codec(.outOfMemory), .shortage),
      (.codec(.overMemoryLimit), .overMemory), (.hashing, .shortage), (.wrongResult(isOld: true), .signed),
    ] as [(DeltaError, Failure.PatchFault)])
  func delta(error: DeltaError, fault: Failure.PatchFault) {
    #expect(Failure(error, path: "patch") == .patch(path: "patch", cause: error.sentence, fault))
  }
}
