import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// `tinypublish bundle` makes what `--from` takes: an archive, a directory, or what comes through a pipe.
  @Suite("Bundles")
  struct BundleTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("bundles")
    }

    /// A device that no server can help.
    private func device(at release: Int) throws -> Device {
      try sample.device(at: release, of: "https://127.0.0.1:1", settings: "offline = yes")
    }

    private func expectNew(_ device: Device, _ release: Int = 4) throws {
      #expect(try device.installed() == sample.expected[release])
      #expect(try device.run("verify").exit == 0)
      #expect(try device.staged == [])
      #expect(try names("\(device.root)/queue").filter { UInt64($0) != nil } == [])
    }

    @Test("a device updates from an archive, and once more finds nothing to do")
    func archive() throws {
      let device = try device(at: 2)
      try sample.repository.bundle("\(scratch.path)/update.tar", "--from", "2", "--for", "europe", "world")
      #expect(try device.json("check", "--from", "\(scratch.path)/update.tar").exit == 10)
      let plan = try device.json("plan", "--from", "\(scratch.path)/update.tar")
      let run = try device.json("apply", "--from", "\(scratch.path)/update.tar")
      #expect(run.exit == 0, "\(run.error)")
      #expect(try run.number("plan", "download") == plan.number("plan", "download"))
      try expectNew(device)
      let again = try device.run("apply", "--from", "\(scratch.path)/update.tar")
      #expect(again.exit == 0 && again.output.contains("nothing to do"), "\(again.output)\(again.error)")
      #expect(try device.run("history").output.contains("apply"))
    }

    @Test("a device updates from a directory with a blank in its name")
    func directory() throws {
      let device = try device(at: 2)
      try sample.repository.bundle("\(scratch.path)/a stick", "--from", "2")
      let run = try device.run("apply", "--from", "\(scratch.path)/a stick")
      #expect(run.exit == 0, "\(run.error)")
      try expectNew(device)
    }

    @Test("a device updates from a pipe, whatever its release, from a bundle for several of them")
    func pipe() throws {
      try sample.repository.bundle("\(scratch.path)/update.tar", "--from", "1", "2", "3")
      for release in 1...3 {
        let device = try device(at: release)
        let run = try device.run("apply --from -", reading: "cat \"$1\"", of: "\(scratch.path)/update.tar")
        #expect(run.exit == 0, "\(release): \(run.error)")
        try expectNew(device)
      }
    }

    @Test("through a pipe, a device takes full payloads if the bundle has no patches")
    func fullPipe() throws {
      let device = try device(at: 2)
      try sample.repository.bundle("\(scratch.path)/all.tar")
      let run = try device.run("apply --from -", reading: "cat \"$1\"", of: "\(scratch.path)/all.tar")
      #expect(run.exit == 0, "\(run.error)")
      try expectNew(device)
    }

    @Test("a bundle is made while the repository is changed, and several at a time, with the same bytes")
    func whileChanging() throws {
      // The lock of whoever changes the metadata.
      let script = """
        for n in 1 2 3; do flock "$1" "$2" bundle "$1" -q -o "$3/$n.tar" & done
        for n in 4 5 6; do "$2" bundle "$1" -q -o "$3/$n.tar" & done
        wait; for n in 2 3 4 5 6; do cmp "$3/1.tar" "$3/$n.tar" || exit 1; done
        """
      let outcome = try ChildProcess.run(
        "sh", ["-c", script, "sh", sample.repository.path, try Programs.tinypublish(), scratch.path])
      #expect(outcome.status == 0, "\(outcome.error)")
    }

    @Test("an archive that tar made of a repository will do, in whatever order")
    func anyOrder() throws {
      let device = try device(at: 2)
      try sample.repository.pack("\(scratch.path)/all.tar", in: scratch)
      let run = try device.run("apply", "--from", "\(scratch.path)/all.tar")
      #expect(run.exit == 0, "\(run.error)")
      try expectNew(device)
    }

    @Test("what was read before a pipe broke is not read again", arguments: [0.4, 0.9])
    func brokenPipe(share: Double) throws {
      let device = try device(at: 2)
      let path = "\(scratch.path)/update.tar"
      try sample.repository.bundle(path, "--from", "2")
      let before = try device.state()
      let size = try Int(File(opening: path).size())
      let cut = try device.run(
        "--json apply --from -", reading: "head -c \(Int(Double(size) * share)) \"$1\"", of: path)
      #expect(cut.exit == 21, "\(cut.output)")
      #expect(try device.state() == before)
      #expect(try device.staged != [])
      let run = try device.run("--json apply --from -", reading: "cat \"$1\"", of: path)
      #expect(run.exit == 0, "\(run.output)")
      #expect(run.events("component").contains { $0["state"] as? String == "staged" })
      try expectNew(device)
    }

    @Test("a bundle with one wrong byte is refused wherever that is, and a good one is taken afterwards")
    func tampered() throws {
      let (start, device) = (try device(at: 2), try device(at: 2))
      let path = "\(scratch.path)/update.tar"
      try sample.repository.bundle(path, "--from", "2", "--for", "europe", "world/airports")
      let good = try contents(path)
      let before = try start.state()
      var (position, files) = (0, 0)
      while position + 1024 < good.count, good[position] != 0 {
        let octal = String(decoding: good[(position + 124)..<(position + 135)], as: UTF8.self)
        let size = try #require(Int(octal, radix: 8))
        // In the header of each file, and in the middle of its bytes; a root that the device has is not read.
        for place in [position + 100] + (position == 0 ? [] : [position + 512 + size / 2]) {
          var bad = good
          bad[place] ^= 1
          try scratch.write("bad.tar", bad)
          try device.copyStore(of: start)
          let run = try device.run("apply", "--from", "\(scratch.path)/bad.tar")
          #expect(run.exit == 21, "byte \(place): \(run.exit ?? -1), \(run.error)")
          #expect(try device.state() == before, "byte \(place)")
        }
        position += 512 + (size + 511) / 512 * 512
        files += 1
      }
      #expect(files > 8)
      let run = try device.run("apply", "--from", path)
      #expect(run.exit == 0, "\(run.error)")
      try expectNew(device)
    }

    @Test("a bundle from before what the device knows is judged by that")
    func older() throws {
      let old = try sample.repository.copy(to: "\(scratch.path)/old", upTo: 3)
      try old.bundle("\(scratch.path)/old.tar", "--from", "2")
      let current = try self.device(at: 4)
      let same = try current.run("apply", "--from", "\(scratch.path)/old.tar")
      #expect(same.exit == 0 && same.output.contains("nothing to do"), "\(same.output)\(same.error)")
      try expectNew(current)
      // It knows of release 4, and has the old one's maps by what vouches for release 4.
      let device = try sample.device(at: 2)
      #expect(try device.run("check").exit == 10)
      let trusted = try device.trusted()
      let run = try device.run("apply", "--from", "\(scratch.path)/old.tar")
      #expect(run.exit == 0, "\(run.error)")
      try expectNew(device, 3)
      #expect(try device.trusted() == trusted)
      // What was learned from the server is still known.
      #expect(try device.run("list").output.contains("release 4"))
    }

    @Test("a bundle for another release or other maps is refused before anything is read of it")
    func wrongBundle() throws {
      let device = try device(at: 1)
      try sample.repository.bundle("\(scratch.path)/three.tar", "--from", "3")
      try sample.repository.bundle("\(scratch.path)/rivers.tar", "--for", "world/rivers")
      let before = try device.state()
      for name in ["three", "rivers"] {
        let run = try device.run("apply", "--from", "\(scratch.path)/\(name).tar")
        #expect(run.exit == 21 && run.error.contains("was made for other maps"), "\(run.error)")
        #expect(try device.state() == before && device.staged == [])
      }
    }

    @Test("packages are installed and repaired from a bundle")
    func otherCommands() throws {
      let device = try device(at: 4)
      try sample.repository.bundle("\(scratch.path)/all.tar")
      try Damage.flip("\(device.root)/current/maps/europe/malta/base.bin")
      let repaired = try device.run("repair", "--from", "\(scratch.path)/all.tar")
      #expect(repaired.exit == 0, "\(repaired.error)")
      try expectNew(device)
      let run = try device.run("install", "world/rivers", "--from", "\(scratch.path)/all.tar")
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.installed().keys.contains("world/rivers/base.bin"))
    }

    @Test(
      "what is no plain archive is refused with a reason", arguments: ["gzip -c", "head -c 5000", "tr e f <"])
    func noArchive(words: String) throws {
      let device = try device(at: 2)
      try sample.repository.bundle("\(scratch.path)/update.tar", "--from", "2")
      try Programs.run("sh", "-c", "\(words) \"$0\" >\"$0.bad\"", "\(scratch.path)/update.tar")
      for _ in 0..<2 {
        let run = try device.run("apply", "--from", "\(scratch.path)/update.tar.bad")
        #expect(run.exit == 21 && run.error.contains("update.tar.bad"), "\(run.error)")
      }
      #expect(try device.release() == 2)
    }
  }
}
