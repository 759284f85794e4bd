import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What happens when a device starts.
  @Suite("Boot")
  struct BootTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("boot")
    }

    @Test("A13: the base map that came with the device is installed at the first start, without a network")
    func base() throws {
      let base = try sample.base(with: "world/airports", in: scratch)
      let device = try Device(
        "https://127.0.0.1:1", settings: "offline = yes", "base = \(base)", "at_boot = nothing")
      let boot = try device.json("boot")
      #expect(boot.exit == 0, "\(boot.output)")
      #expect(try boot.event("boot")["state"] as? String == "adopted")
      let airports = try #require(sample.expected[4]).filter { $0.key.hasPrefix("world/airports/") }
      #expect(try !airports.isEmpty && device.installed() == airports)
      #expect(try device.staged == [])
      #expect(try device.run("verify").exit == 0)
      // Once is enough.
      #expect(try device.run("boot").output == "boot: release 4 (2024-04) is ready\n")
      #expect(try device.current == "generations/1")
    }

    @Test(
      "where nothing of the maps can be used, the base map takes their place", arguments: ["boot", "apply"])
    func baseAgain(command: String) throws {
      let base = try sample.base(with: "world/airports", in: scratch)
      let device = try Device(
        "https://127.0.0.1:1", settings: "offline = yes", "base = \(base)", "at_boot = nothing")
      #expect(try device.run("boot").exit == 0)
      let maps = try device.installed()
      for name in ["manifest", "catalog"] { try Programs.run("rm", "\(device.root)/current/\(name)") }
      let run = try device.run(command)
      // The base map is all that is known of without a connection.
      #expect(run.exit == (command == "boot" ? 0 : 20), "\(run)")
      #expect(try !maps.isEmpty && device.installed() == maps, "\(run)")
      #expect(try device.run("verify").exit == 0)
    }

    @Test("A13: a base map that the trusted keys did not sign is refused, and the device starts without maps")
    func strangeBase() throws {
      let other = PublishedRepository(path: "\(scratch.path)/other")
      try scratch.write("maps/world/base.bin", "a map")
      try other.makeWithOwnKeys()
      try other.publish("\(scratch.path)/maps", label: "one")
      let device = try Device("https://127.0.0.1:1", settings: "base = \(other.path)", "at_boot = nothing")
      let boot = try device.run("boot")
      #expect(boot.exit == 21, "\(boot)")
      #expect(try device.current == nil)
      #expect(try device.staged == [])
    }

    @Test(
      "A14: the list of maps is fetched in the background of the first start, and can then be shown without a network"
    )
    func firstStart() throws {
      let server = try WebServer(sample.repository.path)
      let device = try Device(server.url, settings: "base = \(scratch.path)/none")
      let boot = try device.run("boot")
      #expect(boot.exit == 0 && boot.output == "boot: nothing is installed\n", "\(boot)")
      try wait { try device.run("--repository", "file:///nowhere", "list").exit == 0 }
      server.kill()
      let list = try device.run("list")
      #expect(list.exit == 0 && list.output.contains("world/airports"), "\(list)")
    }

    @Test("A14: a first start without a network shows nothing, ends well, and leaves a line in the log")
    func firstStartWithoutNetwork() throws {
      let server = try WebServer(sample.repository.path)
      server.kill()
      let log = "\(scratch.path)/log"
      let device = try Device(server.url, settings: "base = \(scratch.path)/none", "log = \(log)")
      let boot = try device.run("boot")
      #expect(boot.exit == 0 && boot.error == "", "\(boot)")
      try wait {
        guard Checkout.isFile(log) else { return false }
        return String(decoding: try contents(log), as: UTF8.self).contains(server.url)
      }
    }

    /// What can happen to a manifest.
    enum Loss: CaseIterable { case removed, emptied, changed }

    @Test("A15: a lost manifest is rebuilt from the maps and the signed catalog", arguments: Loss.allCases)
    func lostManifest(loss: Loss) throws {
      let device = try sample.device(at: 4, settings: "at_boot = nothing")
      let manifest = "\(device.root)/current/manifest"
      switch loss {
      case .removed: try Programs.run("rm", manifest)
      case .emptied: try Programs.run("cp", "/dev/null", manifest)
      case .changed: try Programs.run("sed", "-i", "s/europe/eurooe/", manifest)
      }
      let old = try device.current
      #expect(try device.run("verify").exit == 24)
      // A process that waits for the network, as a check does, is not waited for.
      let holder = try Directory(opening: "\(device.root)/trust")
      try holder.lock(.exclusive)
      let boot = try device.json("boot")
      _ = consume holder
      #expect(boot.exit == 0, "\(boot.output)")
      #expect(try boot.event("boot")["state"] as? String == "rebuilt")
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.run("verify").exit == 0)
      #expect(try device.run("apply").exit == 0)
      #expect(try device.current != old)
      #expect(try names("\(device.root)/generations").count == 1)
    }

    @Test(
      "A15: components that are damaged or missing are left out of a rebuilt manifest, and apply and install restore them"
    )
    func lostMaps() throws {
      let device = try sample.device(at: 4, settings: "at_boot = nothing")
      try Programs.run("rm", "\(device.root)/current/manifest")
      try Programs.run("truncate", "-s", "100", "\(device.root)/current/maps/world/airports/base.bin")
      try Programs.run("rm", "\(device.root)/current/maps/europe/malta/base.bin")
      #expect(try device.run("boot").exit == 0)
      #expect(
        try Set(device.installed().keys)
          == [
            "europe/iceland/base.bin", "europe/latvia/base.bin", "europe/latvia/overlay.bin",
            "europe/malta/search.bin",
          ])
      // Packages that have something left follow with the next update, as they do when a data group is selected.
      #expect(try device.run("apply").exit == 0)
      #expect(try device.run("install", "world/airports").exit == 0)
      #expect(try device.installed() == sample.expected[4])
    }

    @Test("A15: if the catalog is lost as well, the previous generation becomes current again")
    func lostCatalog() throws {
      let device = try sample.device(at: 2, settings: "at_boot = nothing")
      #expect(try device.run("apply").exit == 0)
      try Programs.run("rm", "\(device.root)/current/manifest", "\(device.root)/current/catalog")
      let boot = try device.run("boot")
      #expect(boot.exit == 0 && boot.output.contains("back to release 2"), "\(boot)")
      #expect(try device.installed() == sample.expected[2])
    }

    @Test(
      "D6: what a power loss interrupted resumes in the background of the next start, which also checks for a newer release"
    )
    func resumed() throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url)
      let apply = try device.start(["--json", "apply"])
      _ = try #require(
        apply.waitForLine(with: "\"path\":\"europe/latvia/overlay.bin\",\"state\":\"downloading\",\"done\""))
      apply.signal(SIGKILL)
      _ = apply.wait()
      #expect(try device.release() == 2)
      let boot = try device.run("boot")
      #expect(boot.exit == 0 && boot.output == "boot: release 2 (2024-02) is ready\n", "\(boot)")
      try wait { try device.release() == 4 && device.staged == [] }
      #expect(try device.installed() == sample.expected[4])
    }

    @Test("D6: with at_boot = apply a newer release is installed in the background of a start")
    func applied() throws {
      let device = try sample.device(at: 2, settings: "at_boot = apply")
      #expect(try device.run("boot").exit == 0)
      try wait { try device.release() == 4 && device.staged == [] }
    }

    @Test("A11: confirm deletes the previous maps; there is nothing to roll back to then")
    func confirm() throws {
      let device = try sample.device(at: 2)
      #expect(try device.run("apply").exit == 0)
      #expect(try names("\(device.root)/generations").count == 2)
      #expect(try device.json("confirm").event("result")["removed"] as? Bool == true)
      #expect(try names("\(device.root)/generations").count == 1)
      #expect(try device.run("rollback").exit == 64)
      #expect(try device.json("confirm").event("result")["removed"] as? Bool == false)
      #expect(try device.installed() == sample.expected[4])
    }
  }
}

extension Sample {
  /// A repository that has everything of the sample but the payloads of all packages except one.
  func base(with package: String, in scratch: Scratch) throws -> String {
    let base = try repository.copy(to: "\(scratch.path)/base")
    let catalog = try #require(try names("\(base.path)/catalogs").first { $0.contains(".4.") })
    let lines = try ChildProcess.run("xz", ["-dc", "\(base.path)/catalogs/\(catalog)"]).output
    let entry = try #require(
      lines.components(separatedBy: "<component ").first { $0.contains("id=\"\(package)\"") })
    for folder in ["components", "payloads"] {
      for name in try names("\(base.path)/\(folder)") where !entry.contains("\(folder)/\(name)\"") {
        try Programs.run("rm", "\(base.path)/\(folder)/\(name)")
      }
    }
    return base.path
  }
}
