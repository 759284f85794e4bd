import Catalog
import Codec
import DeltaApply
import MapModel
import MapTestSupport
import MapTree
import PatchFormat
import Platform
import Store
import TestSupport
import Testing
import Transport
import Trust

@testable import Updater

private let full = FileError(.noSpace, path: "f")
private let quota = FileError(.quotaExceeded, path: "f")
private let broken = FileError(.input, path: "f")
private let noMemory = FileError(.outOfMemory, path: "f")

/// Exit codes are an interface: this table is `docs/exit-codes.md`, error by error.
@Suite("ResultCode")
struct ResultCodeTests {
  @Test("the codes and names are those of the document")
  func codes() {
    let table: [(ResultCode, Int32, String)] = [
      (.success, 0, "Success"), (.updateAvailable, 10, "UpdateAvailable"),
      (.applicationTooOld, 11, "ApplicationTooOld"), (.incomplete, 12, "Incomplete"),
      (.withheld, 13, "Withheld"), (.connectionFailed, 20, "ConnectionFailed"),
      (.rejected, 21, "Rejected"), (.outOfSpace, 22, "OutOfSpace"), (.overBudget, 23, "OverBudget"),
      (.storage, 24, "StorageFailed"), (.busy, 25, "Busy"), (.cancelled, 26, "OperationCancelled"),
      (.usage, 64, "InvalidParameters"), (.unusable, 78, "InitializationFailed"),
    ]
    for (status, code, name) in table { #expect(status.rawValue == code && status.name == name) }
    #expect(table.map { $0.0 } == ResultCode.allCases)
  }

  @Test(
    "errors of the updater itself",
    arguments: [
      (.configuration(.file(broken)), .unusable),
      (.configuration(.line(path: "c", line: 1, .syntax)), .unusable),
      (.configuration(.option("--root", .syntax)), .unusable), (.configuration(.budget(.invalid)), .unusable),
      (.noRepository, .unusable), (.noTrustedRoot(path: "r"), .unusable), (.noReleases(url: "u"), .rejected),
      (.wrongDigest(url: "u"), .rejected),
      (.tree(.wrongRelease(path: "u")), .rejected), (.tree(.unknownPackages(["a"])), .usage),
      (.notInstalled(["a"]), .usage), (.noRoom(quota), .outOfSpace),
      (
        .noSpaceForIndex(ComponentName(id: "a", dataGroup: "b"), needed: 2, available: 1), .outOfSpace
      ), (.index(ComponentName(id: "a", dataGroup: "b"), command: "/i", .exited(3)), .unusable),
      (.index(ComponentName(id: "a", dataGroup: "b"), command: "/i", .notStarted(cause: "c")), .unusable),
      (.index(ComponentName(id: "a", dataGroup: "b"), command: "/i", .killed(signal: "s")), .unusable),
      (.index(ComponentName(id: "a", dataGroup: "b"), command: "/i", .overTime(seconds: 1)), .unusable),
      (.index(ComponentName(id: "a", dataGroup: "b"), command: "/i", .noFile), .unusable),
      (.outOfSpace(needed: 2, available: 1, path: "p"), .outOfSpace),
      (.outOfFiles(needed: 2, available: 1, path: "p"), .outOfSpace),
      (.catalogTooLarge(url: "u", size: 1), .rejected), (.damaged(count: 1), .storage),
      (.tree(.unknownGroups(["a"], known: ["base"])), .usage), (.tree(.fixedGroup("base")), .usage),
      (.tree(.tooManyRegions(limit: 1)), .overBudget), (.tree(.tooManyGroups), .overBudget),
      (.notDurable(Fixture.release, cause: broken), .storage), (.stopped, .cancelled),
      (.cancelled, .cancelled), (.offline, .connectionFailed), (.budgetTooSmall(1), .overBudget),
      (.applicationTooOld(needed: 2, has: 1, release: Fixture.release), .applicationTooOld),
      (.tooManyPackages(path: "p"), .unusable), (.nothingToRebuild(path: "p"), .storage),
    ] as [(UpdateError, ResultCode)])
  func own(error: UpdateError, expected: ResultCode) { expect(error, as: expected) }

  @Test(
    "errors of the transport",
    arguments: [
      (.unreachable(url: "u", cause: "c", attempts: 1), .connectionFailed),
      (.untrusted(url: "u", .expired), .connectionFailed), (.badAuthorities(path: "p"), .unusable),
      (.refused(url: "u", status: 404), .connectionFailed),
      (.badURL(url: "u", cause: "c"), .connectionFailed), (.missing(url: "u"), .connectionFailed),
      (.wrongSize(url: "u", expected: 1, found: 2), .rejected),
      (.incomplete(url: "u", expected: 2, found: 1), .connectionFailed),
      (.tooLong(url: "u", limit: 1), .rejected), (.storage(full), .outOfSpace), (.storage(broken), .storage),
      (.rejected(url: "u"), .rejected),
      (.cancelled, .cancelled), (.setup(cause: "c"), .overBudget),
    ] as [(TransportError, ResultCode)])
  func transport(error: TransportError, expected: ResultCode) { expect(.transport(error), as: expected) }

  @Test(
    "errors of the store",
    arguments: [
      (.file(full), .outOfSpace), (.file(quota), .outOfSpace), (.file(broken), .storage),
      (.file(noMemory), .overBudget), (.busy(path: "p"), .busy), (.missing(path: "p"), .unusable),
      (.unusable(path: "p", .strayCurrent), .unusable), (.unusable(path: "p", .noHardLinks), .unusable),
      (.unusable(path: "p", .noSymbolicLinks), .unusable),

      (.unusable(path: "p", .foreignFile("f")), .unusable),
      (.badManifest(path: "p", line: 1), .storage), (.wrongDigest(path: "p"), .rejected),
      (.nothingToRollBack, .usage), (.noMemory, .overBudget), (.cancelled, .cancelled),
      (.queueFull(path: "p"), .busy), (.tooManyExceptions(operation: 1), .usage),
    ] as [(StoreError, ResultCode)])
  func store(error: StoreError, expected: ResultCode) { expect(.store(error), as: expected) }

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
      (.overMemory(file: "f"), .overBudget),
      (.noRoot, .unusable),
      (.busy(path: "p"), .busy), (.cancelled, .cancelled), (.file(full), .outOfSpace),
      (.file(broken), .storage),
    ] as [(TrustError, ResultCode)])
  func trust(error: TrustError, expected: ResultCode) {
    expect(.trust(error, below: "https://u/"), as: expected)
  }

  @Test(
    "errors of catalogs",
    arguments: [
      (.file(broken), .storage), (.file(full), .outOfSpace),
      (.packed(path: "p", .overMemoryLimit), .overBudget),
      (.packed(path: "p", .outOfMemory), .overBudget), (.packed(path: "p", .corrupt), .rejected),
      (.packed(path: "p", .notXZ), .rejected), (.malformed(path: "p", line: 1, .outOfMemory), .overBudget),
      (.malformed(path: "p", line: 1, .tooDeep), .rejected),
      (.malformed(path: "p", line: 1, .hasDoctype), .rejected),
      (.notAComponent(path: "p", .truncated), .rejected),
    ] as [(CatalogError, ResultCode)])
  func catalog(error: CatalogError, expected: ResultCode) { expect(.catalog(error), as: expected) }

  @Test(
    "errors of patches",
    arguments: [
      (.notAPatch, .rejected), (.badHead(.dictionary), .rejected), (.wrongHead, .rejected),
      (.wrongOldFile(found: 1, expected: 2), .rejected), (.overMemory(needed: 2, allowed: 1), .overBudget),
      (.truncated(at: 1), .rejected), (.trailingBytes(at: 1), .rejected), (.wrongFrame(at: 1), .rejected),
      (.badFrame(at: 1), .rejected), (.badSection(at: 1), .rejected), (.badBlock(at: 1), .rejected),
      (.outsideSource(at: 1), .rejected), (.codec(.corrupt), .rejected), (.codec(.outOfMemory), .overBudget),
      (.codec(.overMemoryLimit), .overBudget), (.file(full), .outOfSpace), (.file(broken), .storage),
      (.hashing, .overBudget), (.cancelled, .cancelled),
    ] as [(DeltaError, ResultCode)])
  func delta(error: DeltaError, expected: ResultCode) { expect(.delta(error, path: "patch"), as: expected) }

  private func expect(_ error: UpdateError, as expected: ResultCode) {
    #expect(ResultCode(error) == expected)
    #expect(!error.sentence.isEmpty && !error.sentence.contains("\n"))
  }
}
