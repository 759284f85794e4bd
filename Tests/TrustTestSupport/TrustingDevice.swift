import JSONReading
internal import Platform
package import TestSupport
package import Trust
internal import TrustDelegation

/// A device that trusted the first root of a repository; each call is a run of its own.
package final class TrustingDevice {
  package let scratch: Scratch
  package let repository: SignedRepository
  package var now = SignedRepository.now
  /// The root that came with the device, for every run.
  package var provisioned: [UInt8]?

  package init(_ repository: SignedRepository) throws {
    scratch = try Scratch("trust")
    self.repository = repository
    try scratch.write("root.json", repository.files["1.root.json"] ?? [])
  }

  /// Begins a run.
  package func open() throws(TrustError) -> TrustClient {
    let directory: Directory
    do throws(Failure) { directory = try Directory(opening: scratch.path) } catch { throw .file(error) }
    repository.requests = []
    return try TrustClient(MetadataDirectory(directory), provisioned: provisioned, now: now)
  }

  /// Learns the newest metadata of all top-level roles, and checks the delegations, which devices do not look at.
  package func refresh() throws(TrustError) {
    var client = try open()
    let snapshot = try client.refresh(repository.fetch)
    try client.targets(snapshot, fetch: repository.fetch).checkDelegations()
    try client.rememberTime()
  }

  /// Refreshes, and looks a target up; nil if no trusted role lists it.
  package func target(_ path: String) throws(TrustError) -> TargetFile? {
    var client = try open()
    let snapshot = try client.refresh(repository.fetch)
    try client.targets(snapshot, fetch: repository.fetch).checkDelegations()
    repository.requests = []
    return try client.target(Name(path), in: snapshot, fetch: repository.fetch)
  }

  /// The bytes of all stored metadata by file name.
  package func stored() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try scratch.names() where name.hasSuffix(".json") { files[name] = try scratch.read(name) }
    return files
  }
}
