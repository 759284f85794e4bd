import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// `storage_limit`: what the store takes in all.
  @Suite("Storage limit")
  struct StorageLimitTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("storage-limit")
    }

    /// The same device with a limit.
    private func limited(_ device: Device, to limit: Int, _ settings: String...) throws -> Device {
      try Device(
        sample.repository.url, root: device.root,
        settings: "storage_limit = \(limit)", settings.joined(separator: "\n"))
    }

    @Test("status shows what the store takes as du does, with links among its generations")
    func status() throws {
      let device = try sample.device(at: 2)
      #expect(try device.run("apply").exit == 0)
      let status = try limited(device, to: 1 << 30).json("status").event("status")
      let shown = try #require(status["storage"] as? Int)
      let used = try device.used()
      #expect(abs(shown - used) < 32 << 10, "\(shown) \(used)")
      #expect(status["storageLimit"] as? Int == 1 << 30)
      #expect(try device.json("status").event("status")["storage"] == nil)
    }

    @Test("an install beyond the limit is refused before a byte is downloaded, and says why")
    func refused() throws {
      let plain = try sample.device(at: 4)
      let before = try plain.state()
      let used = try plain.used()
      for (rest, exit) in [(4096, Int32(22)), (4 << 20, 0)] {
        let device = try limited(plain, to: used + rest, "low_space = refuse")
        let plan = try device.json("plan", "world/rivers")
        // du(1) counts the directory itself.
        #expect(try plan.number("plan", "available") <= rest + 4096)
        let run = try device.run("install", "world/rivers")
        #expect(run.exit == exit, "\(run)")
        if exit == 22 {
          #expect(run.error.contains("raise storage_limit"), "\(run.error)")
          #expect(try device.state() == before)
          #expect(try device.staged == [])
        }
      }
    }

    @Test("an update gives up the previous maps for the limit, and never takes more than that")
    func update() throws {
      let device = try sample.device(at: 2)
      #expect(
        try device.run(
          "--repository", sample.repository.copy(to: "\(scratch.path)/three", upTo: 3).url, "apply"
        ).exit == 0)
      let used = try device.used()
      let needed = try device.json("plan").number("plan", "peakDisk")
      // Not enough beside the previous maps, enough without them.
      let limit = used + needed - (64 << 10)
      let strict = try limited(device, to: limit, "low_space = refuse")
      #expect(try strict.run("apply").exit == 22)
      let limited = try limited(device, to: limit)
      #expect(try limited.json("plan").event("plan")["room"] as? String == "drop-previous")
      let watch = """
        "$0" --config "$1" --quiet apply & most=0
        while kill -0 $! 2>/dev/null; do
          used=$(du -s -B1 "$2" 2>/dev/null | cut -f 1)
          [ "$used" -le "$most" ] || most=$used
        done
        wait $! && echo "$most"
        """
      let run = try ChildProcess.run(
        "bash", ["-c", watch, try Programs.tinyupdater(), limited.configuration, device.root])
      #expect(run.status == 0, "\(run)")
      let most = try #require(Int(run.output.split(separator: "\n").last ?? ""))
      #expect(most <= limit, "\(most) of \(limit)")
      #expect(try limited.release() == 4)
    }

    @Test("a store that takes more than its limit can be looked at, made smaller and rolled back")
    func beyond() throws {
      let plain = try sample.device(at: 2)
      #expect(try plain.run("apply").exit == 0)
      let device = try limited(plain, to: plain.used() - 4096, "low_space = refuse")
      #expect(try device.run("install", "world/rivers").exit == 22)
      #expect(try device.run("verify").exit == 0)
      #expect(try device.run("rollback").exit == 0)
      #expect(try device.run("uninstall", "europe/malta").exit == 0)
      #expect(try device.run("confirm").exit == 0)
      #expect(try device.run("check").exit == 0)
    }
  }
}
