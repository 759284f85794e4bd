import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What devices see of a repository from which the publisher has taken what is old.
  @Suite("Pruning")
  struct PruneTests {
    private let sample: Sample
    private let scratch: Scratch
    private let repository: PublishedRepository

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("pruned")
      repository = try sample.repository.copy(to: "\(scratch.path)/repository")
    }

    private func prune(_ options: String...) throws -> String {
      try repository.tinypublish(["prune", repository.path] + options)
    }

    @Test("without patches to older releases, devices of every release still reach the newest one")
    func patches() throws {
      let before = try names("\(repository.path)/payloads").count
      #expect(try prune("--dry-run").contains(" would be removed."))
      #expect(try names("\(repository.path)/payloads").count == before)
      #expect(try prune().contains(" payloads, "))
      #expect(try names("\(repository.path)/payloads").count < before)
      #expect(try prune() == "Nothing to remove.\n")
      try Programs.run(Programs.tinypublish(), "verify", repository.path, "--deep")
      for release in SampleMaps.releases.dropLast() {
        let device = try sample.device(at: release, of: repository.url)
        let install = try device.json("install", "world/rivers")
        #expect(try install.exit == 0 && device.release() == release, "at its own release")
        let apply = try device.json("apply")
        #expect(apply.exit == 0 && apply.events("notice").count <= 1, "\(apply.output)")
        #expect(try device.release() == 4)
      }
    }

    @Test(
      "a device at a withdrawn release keeps its maps, and installs and updates with a notice"
    )
    func withdrawn() throws {
      let device = try sample.device(at: 1, of: repository.url)
      let other = try sample.device(at: 1, of: repository.url)
      let output = try prune("--keep", "1")
      #expect(
        output.contains("withdrawn: release 1, 2024-01\n") && output.contains(" catalogs, "), "\(output)")
      #expect(try names("\(repository.path)/catalogs").count == 1)
      try Programs.run(Programs.tinypublish(), "verify", repository.path, "--deep")
      for command in ["status", "list", "verify", "plan"] {
        #expect(try device.run(command).exit == 0, "\(command)")
      }
      #expect(try device.installed() == sample.expected[1])

      let install = try device.json("install", "world/rivers")
      #expect(install.exit == 0, "\(install.error)")
      let message = install.events("notice").compactMap { $0["message"] as? String }.first ?? ""
      #expect(message.hasPrefix("release 1 (2024-01) is no longer served"), "\(message)")
      #expect(try device.release() == 4)

      #expect(try other.run("apply").exit == 0)
      #expect(try other.installed() == sample.expected[4])
      #expect(try other.run("rollback").exit == 0)
      #expect(try other.installed() == sample.expected[1])
    }
  }
}
