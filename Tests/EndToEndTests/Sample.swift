import Glibc
import Platform
import TestSupport
import Testing

/// The repository of the sample maps, made once.
final class Sample: Sendable {
  let repository: PublishedRepository
  /// What is installed of `SampleMaps.installed` by release.
  let expected: [Int: [String: String]]
  private static let path = "\(Scratch.base)/tinyupdater-sample-\(getpid())"

  static let shared = Result { try Sample() }

  private init() throws {
    let scratch = try Scratch("sample")
    repository = PublishedRepository(path: "\(Sample.path)/repository")
    // Nothing that is static is ever freed.
    atexit { _ = try? Programs.run("rm", "-rf", Sample.path) }
    for release in SampleMaps.releases {
      for (name, bytes) in SampleMaps.files(release) { try scratch.write("\(release)/\(name)", bytes) }
      try repository.publish("\(scratch.path)/\(release)", label: "2024-0\(release)", allowingRemoved: 1)
    }
    var expected: [Int: [String: String]] = [:]
    for release in SampleMaps.releases {
      expected[release] = try repository.expected(of: SampleMaps.files(release))
        .filter { !$0.key.hasPrefix("world/rivers") }
    }
    self.expected = expected
  }

  /// A device that has installed the sample maps at `release`, and is at rest.
  func device(at release: Int, of repository: String? = nil, root: String? = nil, settings: String...) throws
    -> Device
  {
    let scratch = try Scratch("served")
    let served = try self.repository.copy(to: "\(scratch.path)/repository", upTo: release)
    let setup = try Device(served.url, root: root)
    let run = try setup.run("install", SampleMaps.installed[0], SampleMaps.installed[1])
    #expect(run.exit == 0, "\(run.error)")
    #expect(try setup.installed() == expected[release])
    let device = try Device(
      repository ?? self.repository.url, root: root, settings: settings.joined(separator: "\n"))
    if root == nil { try device.copyStore(of: setup) }
    return device
  }
}
