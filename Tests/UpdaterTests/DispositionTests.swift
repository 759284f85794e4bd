import Catalog
import DeltaApply
import MapModel
import MapTestSupport
import MapTree
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

@Suite("Disposition")
struct DispositionTests {
  @Test("whichever module was interrupted, being cancelled is one error")
  func cancelled() {
    #expect(UpdateError(StoreError.cancelled) == .cancelled)
    #expect(UpdateError(TransportError.cancelled) == .cancelled)
    #expect(UpdateError(TrustError.cancelled, below: "u") == .cancelled)
    #expect(UpdateError(DeltaError.cancelled, path: "p") == .cancelled)
    #expect(UpdateError(MapTreeError.cancelled) == .cancelled)
  }

  @Test(
    "what passes by itself waits in the queue; only what needs space, or a user who cancels, empties staging",
    arguments: [
      (.stopped, true, false),
      (.offline, true, false),
      (.transport(.unreachable(url: "u", cause: "c", attempts: 1)), true, false),
      (.transport(.untrusted(url: "u", .expired)), true, false),
      (.transport(.refused(url: "u", status: 403)), true, false),
      (.transport(.missing(url: "u")), true, false),
      (.transport(.badURL(url: "u", cause: "c")), true, false),
      (.transport(.tooLong(url: "u", limit: 1)), true, false),
      (.trust(.busy(path: "p"), below: "u"), true, false),
      (.store(.busy(path: "p")), true, false),
      (.trust(.missing(file: "f"), below: "u"), true, false),
      (.trust(.expired(file: "f", at: 0), below: "u"), true, false),
      (.trust(.malformed(file: "f", .json(.tooDeep)), below: "u"), true, false),
      (
        .trust(.unsigned(file: "f", delegator: "root", found: 0, threshold: 1), below: "u"), true, false
      ),
      (.wrongDigest(url: "u"), false, false),
      (.transport(.wrongSize(url: "u", expected: 1, found: 2)), false, false),
      (.delta(.wrongFrame(at: 1), path: "p"), false, false),
      (.noReleases(url: "u"), false, false),
      (.tree(.unknownPackages(["a"])), false, false),
      (.notInstalled(["a"]), false, false),
      (.noRepository, false, false),
      (.noTrustedRoot(path: "r"), false, false),
      (.applicationTooOld(needed: 2, has: 1, release: Fixture.release), false, false),
      (.store(.file(broken)), false, false),
      (.trust(.file(broken), below: "u"), false, false),
      (.trust(.overMemory(file: "f"), below: "u"), false, false),
      (.store(.noMemory), false, false),
      (.notDurable(Fixture.release, cause: broken), false, false),
      (.index(ComponentName(id: "a", dataGroup: "b"), command: "/i", .exited(3)), false, false),
      (.cancelled, false, true),
      (.store(.file(full)), false, true),
      (.inPlaceStopped(.store(.file(full))), true, false),
      (.inPlaceStopped(.store(.file(broken))), true, false),
      (.trust(.file(quota), below: "u"), false, true),
      (.noRoom(quota), false, false),
      (.mapsShared(1, needed: 2, available: 1, path: "p"), false, false),
      (.noHoles(needed: 2, available: 1, path: "p"), false, false),
      (.outOfSpace(needed: 2, available: 1, path: "p"), false, true),
      (
        .noSpaceForIndex(ComponentName(id: "a", dataGroup: "b"), needed: 2, available: 1), false, true
      ),
    ] as [(UpdateError, Bool, Bool)])
  func afterwards(error: UpdateError, isKept: Bool, isEmptying: Bool) {
    #expect(error.keepsInQueue == isKept)
    #expect(error.emptiesStaging == isEmptying)
  }

  @Test(
    "the disposition of an error decides what happens next",
    arguments: [
      (.cancelled, .cancelled), (.stopped, .stopped), (.offline, .retryLater),
      (.transport(.refused(url: "u", status: 503)), .retryLater),
      (.transport(.wrongSize(url: "u", expected: 1, found: 2)), .contentRejected),
      (.transport(.incomplete(url: "u", expected: 2, found: 1)), .retryLater),
      (.trust(.expired(file: "f", at: 0), below: "u"), .retryLater),
      (.trust(.busy(path: "p"), below: "u"), .busy), (.store(.queueFull(path: "p")), .busy),
      (.wrongDigest(url: "u"), .contentRejected), (.store(.wrongDigest(path: "p")), .contentRejected),
      (.delta(.wrongFrame(at: 1), path: "p"), .contentRejected), (.delta(.hashing, path: "p"), .fatal),
      (.inPlaceStopped(.store(.file(full))), .outOfSpace), (.notInstalled(["a"]), .fatal),
      (.noRepository, .fatal),
    ] as [(UpdateError, Disposition)])
  func dispositions(error: UpdateError, expected: Disposition) { #expect(error.disposition == expected) }

  @Test("a file that cannot be written has the same disposition in every module")
  func files() {
    for (cause, expected) in [(full, .outOfSpace), (broken, .fatal)] as [(FileError, Disposition)] {
      for error in [
        UpdateError(cause), .store(.file(cause)), .transport(.storage(cause)), .catalog(.file(cause)),
        .trust(.file(cause), below: ""), .delta(.file(cause), path: "p"),
      ] {
        #expect(error.disposition == expected)
      }
    }
  }
}
