import Platform
import Releases
import Testing
import Trust

@testable import Publisher

/// What a device trusts, from the first root of a repository on.
struct Device {
  private let scratch: TestRepository
  private let name: String

  init(_ scratch: TestRepository, name: String = "device") throws {
    self.scratch = scratch
    self.name = name
    try Directory(opening: scratch.path).makeDirectory(name)
  }

  /// Learns what the repository has, as an update does; returns the releases.
  func releases(now: Int64 = TestRepository.now) throws(TrustError) -> [ServedRelease] {
    let root: [UInt8]
    do throws(Failure) { root = try scratch.served("metadata/1.root.json") } catch { throw .file(error) }
    var client = try TrustClient(try MetadataDirectory(open()), provisioned: root, now: now)
    let snapshot = try client.refresh(fetch)
    let targets = try client.targets(snapshot, fetch: fetch)
    var releases: [ServedRelease] = []
    try targets.forEachTarget { (target, custom) in
      if let release = ServedRelease(target, custom: custom) { releases.append(release) }
    }
    return releases.sorted { $0.number < $1.number }
  }

  /// Why it learns nothing; nil if it does.
  func refusal() -> TrustError? {
    do throws(TrustError) { _ = try releases() } catch { return error }
    return nil
  }

  func labels() throws(TrustError) -> [String] { try releases().map(\.label) }

  private func open() throws(TrustError) -> Directory {
    do throws(Failure) { return try Directory(opening: "\(scratch.path)/\(name)") } catch {
      throw .file(error)
    }
  }

  private func fetch(_ file: String, _ limit: UInt64) -> Fetched {
    do throws(Failure) {
      let bytes = try scratch.served("metadata/\(file)")
      return UInt64(bytes.count) <= limit ? .file(bytes) : .failed
    } catch { return error.errno == .noEntry ? .absent : .failed }
  }
}
