import DeltaApply
import Platform
import Store
import Testing
import Transport
import Trust

@testable import Updater

private let full = FileError(.noSpace, "f")
private let quota = FileError(.quotaExceeded, "f")
private let broken = FileError(.input, "f")

@Suite("Disposition")
struct DispositionTests {
  @Test("whichever module was interrupted, being cancelled is one error")
  func cancelled() {
    #expect(UpdateError(StoreError.cancelled) == .cancelled)
    #expect(UpdateError(TransportError.cancelled) == .cancelled)
    #expect(UpdateError(TrustError.cancelled, below: "u") == .cancelled)
    #expect(UpdateError(DeltaError.cancelled, path: "p") == .cancelled)
  }

  @Test(
    "what passes by itself waits in the queue; only what needs space, or a user who cancels, empties staging",
    arguments: [
      (.stopped, true, false, .stopped),
      (.offline, true, false, .retryLater),
      (.transport(.unreachable(url: "u", cause: "c", attempts: 1)), true, false, .retryLater),
      (.transport(.untrusted(url: "u", cause: "c")), true, false, .retryLater),
      (.transport(.refused(url: "u", status: 403)), true, false, .retryLater),
      (.transport(.missing(url: "u")), true, false, .retryLater),
      (.transport(.badURL(url: "u", cause: "c")), true, false, .retryLater),
      (.transport(.tooLong(url: "u", limit: 1)), true, false, .retryLater),
      (.trust(.busy(path: "p"), below: "u"), true, false, .busy),
      (.store(.busy(path: "p")), true, false, .busy),
      (.trust(.missing(file: "f"), below: "u"), true, false, .retryLater),
      (.trust(.expired(file: "f", at: 0), below: "u"), true, false, .retryLater),
      (.trust(.malformed(file: "f", .json(.tooDeep)), below: "u"), true, false, .retryLater),
      (
        .trust(.unsigned(file: "f", delegator: "root", found: 0, threshold: 1), below: "u"), true, false,
        .retryLater
      ),
      (.wrongDigest(url: "u"), false, false, .contentRejected),
      (.transport(.wrongSize(url: "u", expected: 1, found: 2)), false, false, .contentRejected),
      (.delta(.wrongFrame(at: 1), path: "p"), false, false, .contentRejected),
      (.noReleases(url: "u"), false, false, .contentRejected),
      (.unknownPackages(["a"]), false, false, .fatal),
      (.notInstalled(["a"]), false, false, .fatal),
      (.noRepository, false, false, .fatal),
      (.noTrustedRoot(path: "r"), false, false, .fatal),
      (.applicationTooOld(needed: 2, has: 1, release: Fixture.release), false, false, .fatal),
      (.store(.file(broken)), false, false, .fatal),
      (.trust(.file(broken), below: "u"), false, false, .fatal),
      (.trust(.overMemory(file: "f"), below: "u"), false, false, .fatal),
      (.store(.noMemory), false, false, .fatal),
      (.notDurable(Fixture.release, cause: broken), false, false, .fatal),
      (.index(ComponentName(id: "a", dataGroup: "b"), command: "/i", .exited(3)), false, false, .fatal),
      (.cancelled, false, true, .cancelled),
      (.store(.file(full)), false, true, .outOfSpace),
      (.trust(.file(quota), below: "u"), false, true, .outOfSpace),
      (.outOfSpace(needed: 2, available: 1, path: "p"), false, true, .outOfSpace),
      (
        .noSpaceForIndex(ComponentName(id: "a", dataGroup: "b"), needed: 2, available: 1), false, true,
        .outOfSpace
      ),
    ] as [(UpdateError, Bool, Bool, Disposition)])
  func afterwards(error: UpdateError, isKept: Bool, isEmptying: Bool, disposition: Disposition) {
    #expect(error.keepsInQueue == isKept)
    #expect(error.emptiesStaging == isEmptying)
    #expect(error.disposition == disposition)
  }

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
