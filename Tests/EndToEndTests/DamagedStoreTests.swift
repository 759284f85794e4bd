import Foundation
import Glibc
import Platform
import TestSupport
import Testing
import TrustTestSupport

extension EndToEnd {
  /// What other programs, a failing disk or an attacker with access to the disk have made of a store.
  @Suite("Damaged stores")
  struct DamagedStoreTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("damaged")
    }

    private func path(_ device: Device, _ name: String) -> String { "\(device.root)/\(name)" }

    @Test(
      "a directory of the store that is a symbolic link is not followed: nothing outside the store is touched",
      arguments: ["catalogs", "staging", "queue"])
    func linkedDirectories(name: String) throws {
      for name in ["precious", "7", "newest"] { try scratch.write("outside/\(name)", "x") }
      let outside = try digests("\(scratch.path)/outside")
      let device = try sample.device(at: 2, settings: "at_boot = nothing")
      try Programs.run("rm", "-rf", path(device, name))
      try Programs.run("ln", "-s", "\(scratch.path)/outside", path(device, name))
      for command in ["boot", "status", "list", "check", "apply", "rollback", "confirm"] {
        let run = try device.run(command)
        #expect(run.exit == (command == "check" ? 10 : 0), "\(command): \(run)")
        #expect(try digests("\(scratch.path)/outside") == outside, "\(command)")
      }
      #expect(try device.installed() == sample.expected[2])
    }

    /// What can lie where a file or a directory of the store should be.
    enum Stray: String, CaseIterable { case file, directory, link }

    @Test(
      "boot and apply repair the store, whatever is in the place of one of its parts",
      arguments: [
        ["staging", "queue", "catalogs", "history", "events", "current.new", "generations/1/catalog"],
        ["queue/worker", "generations/1/manifest"], ["generations/1"],
      ], Stray.allCases)
    func strays(names: [String], stray: Stray) throws {
      let device = try sample.device(at: 2, settings: "at_boot = nothing")
      #expect(try device.current == "generations/1")
      for place in names.map({ path(device, $0) }) {
        try Programs.run("rm", "-rf", place)
        switch stray {
        case .file: try Programs.run("cp", "/dev/null", place)
        case .directory: try Programs.run("mkdir", place)
        case .link: try Programs.run("ln", "-s", "/nowhere", place)
        }
      }
      let boot = try device.run("boot")
      // Without its directory a generation is lost, and the maps with it.
      let isLost = names == ["generations/1"]
      #expect(boot.exit == (isLost ? 24 : 0), "\(boot)")
      let apply = try isLost ? device.run(["install"] + SampleMaps.installed) : device.run("apply")
      #expect(apply.exit == 0, "\(apply)")
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.run("verify").exit == 0)
    }

    @Test("files that cannot be removed cause a warning, and stop no command")
    func unremovable() throws {
      let device = try sample.device(at: 2, settings: "at_boot = nothing")
      defer { _ = try? Programs.run("rm", "-rf", device.root) }
      // Deeper than any removal goes: stands for a damaged directory.
      let deep = String(repeating: "/x", count: 40)
      try Programs.run("mkdir", "-p", path(device, "generations/0.old\(deep)"))
      try Programs.run("mkdir", "-p", path(device, "generations/2.new\(deep)"))
      // It becomes one that was the way back.
      try Programs.run("mkdir", "-p", path(device, "generations/1/maps\(deep)"))
      for command in [
        "boot", "apply", "rollback", "apply --release 4", "uninstall europe/malta", "confirm", "boot",
      ] {
        let run = try device.run(command.components(separatedBy: " "))
        #expect(run.exit == 0, "\(command): \(run)")
        #expect(
          run.error.contains("generations/") && run.error.contains("cannot be removed"), "\(command): \(run)")
      }
      #expect(try device.installed() == sample.expected[4]?.filter { !$0.key.hasPrefix("europe/malta/") })
      let left = try names(path(device, "generations")).filter { Int($0) == nil }
      #expect(left == ["0.old", "1.old", "2.new"])
    }

    @Test("every command that changes maps rebuilds a lost manifest", arguments: [true, false])
    func lostManifest(isMissing: Bool) throws {
      let device = try sample.device(at: 2)
      func lose() throws {
        let manifest = path(device, "current/manifest")
        try Programs.run(isMissing ? "rm" : "truncate", isMissing ? "-f" : "--size=0", manifest)
        let verify = try device.run("verify")
        #expect(verify.exit == 24)
        #expect(verify.error.contains("\"tinyupdater boot\""), "\(verify.error)")
      }
      for (command, release) in [("apply", 4), ("apply", 4), ("install europe", 4)] {
        try lose()
        let run = try device.run(command.components(separatedBy: " "))
        #expect(run.exit == 0, "\(command): \(run)")
        #expect(run.error.contains("was lost and has been rebuilt"), "\(command): \(run)")
        #expect(try device.installed() == sample.expected[release], "\(command)")
        #expect(try device.run("verify").exit == 0)
      }
    }

    /// New keys of the timestamp forget the old one; a run that ends right then has none.
    @Test("a lost manifest is rebuilt without the timestamp and the snapshot that were trusted last")
    func lostManifestAndTimestamp() throws {
      let device = try sample.device(at: 2)
      for name in ["current/manifest", "trust/timestamp.json", "trust/snapshot.json"] {
        try Programs.run("rm", path(device, name))
      }
      let boot = try device.run("boot")
      #expect(boot.exit == 0 && boot.output.contains("was lost and has been rebuilt"), "\(boot)")
      #expect(try device.installed() == sample.expected[2])
    }

    @Test("rollback works although the manifest that names the previous generation is lost")
    func rollBackWithoutManifest() throws {
      let device = try sample.device(at: 2)
      #expect(try device.run("apply").exit == 0)
      try Programs.run("truncate", "--size=0", path(device, "current/manifest"))
      let run = try device.run("rollback")
      #expect(run.exit == 0 && run.output == "rollback: release 2 (2024-02)\n", "\(run)")
      #expect(try device.installed() == sample.expected[2])
      // What it came from can still be gone to.
      #expect(try device.run("apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
    }

    @Test("A11: after a rollback, confirm frees the space of the newer maps")
    func confirmRollback() throws {
      let device = try sample.device(at: 2)
      #expect(try device.run("apply").exit == 0)
      #expect(try device.run("rollback").exit == 0)
      let newer = path(device, "generations/2/maps")
      #expect(try !digests(newer).isEmpty)
      #expect(try device.json("confirm").event("result")["removed"] as? Bool == true)
      #expect(try digests(path(device, "generations/2")).isEmpty)
      #expect(try device.json("confirm").event("result")["removed"] as? Bool == false)
      #expect(try device.run("apply", "--release", "4").exit == 0)
      // A reader may have remembered the number.
      #expect(try device.current == "generations/3")
      #expect(try device.installed() == sample.expected[4])
    }

    @Test("control characters are never printed, wherever they come from")
    func controls() throws {
      let repository = try sample.repository.copy(to: "\(scratch.path)/repository")
      try repository.signTargets {
        $0[["targets", "catalogs/4.update.xz", "custom", "label"]] = .text("\u{202e}\u{9b}31mevil")
      }
      let device = try sample.device(at: 2, of: repository.url)
      // It is not a valid label, so its directory is not a release.
      for run in [try device.run("check"), try device.json("check")] {
        #expect(run.exit == 10 && run.output.contains("2024-03") && !run.output.contains("evil"), "\(run)")
      }
      // One that a version before has accepted.
      let label = "\u{202e}\u{9b}31mevil"
      let known = String(decoding: try contents(path(device, "catalogs/newest")), as: UTF8.self)
      try scratch.write("newest", known.replacing("2024-03", with: label))
      try Programs.run("cp", "\(scratch.path)/newest", path(device, "catalogs/newest"))
      let status = try device.run("status")
      #expect(status.output.contains("release 3 (??31mevil)"), "\(status)")
      #expect(try device.json("status").output.contains(#""label":"\u202e\u009b31mevil""#))
      for words in [
        ["\u{1b}[31mx"], ["install", "\u{202e}x"], ["groups", "select", "\u{9b}x"], ["--\u{1b}x"],
      ] {
        let run = try device.run(words)
        let text = (run.output + run.error).unicodeScalars
        #expect(
          !text.contains { $0.value < 0x20 && $0 != "\n" || (0x7f..<0xa0).contains($0.value) }, "\(run)")
        #expect(!text.contains("\u{202e}") && !text.isEmpty, "\(run)")
      }
    }

    @Test("a catalog larger than the limit is refused before it is fetched")
    func hugeCatalog() throws {
      let repository = try sample.repository.copy(to: "\(scratch.path)/repository")
      try repository.signTargets {
        $0[["targets", "catalogs/4.update.xz", "length"]] = .number(256 << 20 + 1)
      }
      let device = try sample.device(at: 2, of: repository.url)
      let before = try device.state()
      let run = try device.run("apply")
      #expect(
        run.exit == 21 && run.error.contains("no device reads a catalog of more than 268 MB"), "\(run)")
      #expect(try device.state() == before)
    }

    @Test(
      "the link that a commit renames is durable before, and nothing else happens in between",
      .enabled(if: Programs.exists("strace")))
    func order() throws {
      let device = try sample.device(at: 2)
      for command in ["apply", "rollback"] {
        let log = "\(scratch.path)/\(command)"
        let calls = "trace=symlink,symlinkat,syncfs,fsync,rename,renameat,renameat2"
        let run = try device.finish(
          device.start([command], before: ["strace", "-f", "-o", log, "-e", calls]))
        #expect(run.exit == 0, "\(run)")
        let lines = String(decoding: try contents(log), as: UTF8.self).components(separatedBy: "\n")
        let link = try #require(lines.lastIndex { $0.contains("symlink") && $0.contains("current.new") })
        let sync = try #require(lines.lastIndex { $0.contains("syncfs(") })
        let rename = try #require(lines.lastIndex { $0.contains("rename") && $0.contains("current.new") })
        #expect(link < sync && sync < rename, "\(command)")
        #expect(lines[rename + 1].contains("fsync("), "\(command): \(lines[rename + 1])")
      }
    }
  }
}
