import Platform
import Releases
import TestSupport
import Testing
import Trust

@testable import Publisher

/// Other commands while a release is made.
@Suite("Concurrency")
struct ConcurrencyTests {
  private let scratch: TestRepository

  init() throws {
    scratch = try TestRepository()
    try Maps.write(to: scratch)
  }

  /// Makes a second release, and calls `body` once while its payloads are made.
  private func release(
    during body: () throws(PublisherError) -> Void, _ observe: (ReleaseEvent) -> Void = { _ in }
  ) async throws -> Result<ReleaseReport, PublisherError> {
    try await scratch.release("1")
    try Maps.write(to: scratch) { Maps.changed($0) }
    var isDone = false
    func step(_ event: ReleaseEvent) {
      observe(event)
      guard case .made = event, !isDone else { return }
      isDone = true
      do throws(PublisherError) { try body() } catch { Issue.record("\(error.sentence)") }
    }
    let result: Result<ReleaseReport, PublisherError>
    do throws(PublisherError) { result = .success(try await scratch.release("2", observe: step)) } catch {
      result = .failure(error)
    }
    #expect(isDone)
    // What was made for a release that was refused waits for it.
    let left = try names(scratch.repository).filter { ![".figures", ".inputs", ".made"].contains($0) }
    #expect(left == [".locks", "catalogs", "components", "metadata", "payloads"])
    return result
  }

  @Test("the timestamp is signed and a bad release stopped while the next one is made, and both stay so")
  func metadata() async throws {
    let result = try await release { () throws(PublisherError) in
      var session = try scratch.session()
      _ = try session.renew(.timestamp)
      _ = try session.setRollout("1", to: 0)
    }
    let report = try result.get()
    #expect(report.outcome == .published)
    // One by the release before, one each by the commands, one by this release.
    #expect(report.served.timestamp.version == 5)
    #expect(report.served.releases.map(\.rollout) == [0, 100])
    #expect(try Device(scratch).labels() == ["1", "2"])
    #expect(try scratch.problems() == [])
  }

  @Test("keys that change while a release is made sign it")
  func keys() async throws {
    try scratch.useOwnKeys()
    let result = try await release { () throws(PublisherError) in
      var session = try scratch.session()
      _ = try session.rotateKey(nil, of: .snapshot)
    }
    #expect(try result.get().outcome == .published)
    #expect(try Device(scratch).labels() == ["1", "2"])
    #expect(try scratch.problems() == [])
  }

  @Test("no other release and no pruning begins while a release is made, and its files stay")
  func exclusion() async throws {
    let repository = scratch.repository
    let result = try await release { () throws(PublisherError) in
      let payloads = try Repository(opening: repository)
      for mode in [Pruning.Mode.remove, .dryRun] {
        #expect(throws: PublisherError.repository(.busy(path: repository))) {
          _ = try Pruning(patchesOf: payloads, mode: mode)
        }
        #expect(throws: PublisherError.repository(.busy(path: repository))) {
          var session = try scratch.session()
          _ = try Pruning(keeping: 1, in: &session, mode: mode)
        }
      }
      let directory = try payloads.open()
      #expect(throws: PublisherError.repository(.busy(path: repository))) {
        _ = try RepositoryLock(.payloads, of: directory)
      }
    }
    #expect(try result.get().outcome == .published)
    #expect(try scratch.problems() == [])
    _ = try Pruning(patchesOf: Repository(opening: repository), mode: .remove)
    #expect(try scratch.problems() == [])
  }

  @Test("a release that would come after another one than it was made for is refused, and can be repeated")
  func moved() async throws {
    let result = try await release { () throws(PublisherError) in
      var session = try scratch.session()
      _ = try session.publish([])
    }
    guard case .failure(.repository(.releasesChanged(scratch.repository))) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(try Device(scratch).labels() == [])
    try await scratch.release("2")
    #expect(try scratch.problems() == [])
  }

  @Test("a release waits for a process that has the metadata when it is made")
  func waiting() async throws {
    var lock: RepositoryLock?
    var waits = 0
    let result = try await release { () throws(PublisherError) in
      lock = try RepositoryLock(
        .metadata, of: onFile { () throws(Failure) in try Directory(opening: scratch.repository) })
    } _: { event in
      guard case .waiting = event else { return }
      waits += 1
      lock = nil
    }
    #expect(try result.get().outcome == .published)
    #expect(waits == 1)
  }
}
