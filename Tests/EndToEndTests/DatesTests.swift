import TestSupport
import Testing

extension EndToEnd {
  /// When a release is in effect, and until when: the publisher's word, which may change.
  @Suite("Dates of releases")
  struct DatesTests {
    private let sample: Sample
    private let scratch: Scratch
    private let repository: PublishedRepository

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("dates")
      repository = try sample.repository.copy(to: "\(scratch.path)/repository")
    }

    /// Adds release 5, whose maps are those of release 2.
    private func release(_ options: String...) throws {
      try repository.tinypublish(
        [
          "release", repository.path, "--again", "2024-02", "--label", "2024-05", "--quiet",
          "--allow-removed", "9",
        ]
          + options)
    }

    private func setDates(_ options: String...) throws {
      try repository.tinypublish(["dates", repository.path, "2024-05"] + options)
    }

    @Test("G5: a date that is brought forward takes effect with the next automatic run")
    func broughtForward() throws {
      try release("--effective", "2100-01-01T00:00:00Z")
      let device = try sample.device(at: 4, of: repository.url)
      #expect(try device.run("apply", "--spread").exit == 0)
      #expect(try device.standby() == 5)
      #expect(try device.run("activate").exit == 13)
      #expect(try device.run("apply", "--spread").exit == 0)
      #expect(try device.release() == 4)
      try setDates("--effective", "now")
      let run = try device.json("apply", "--spread")
      #expect(run.exit == 0)
      #expect(try device.release() == 5)
      #expect(run.events("plan").isEmpty)
    }

    @Test("a date that is put off holds what stands by, at a start, for a timer and for activate")
    func putOff() throws {
      try release("--effective", "2001-01-01T00:00:00Z")
      let device = try sample.device(
        at: 4, of: repository.url, settings: "activation = boot\nat_boot = nothing\nbase = /none")
      #expect(try device.run("apply", "--stage").exit == 0)
      try setDates("--effective", "2100-01-01T00:00:00Z")
      // The device does not know it yet, and then it does.
      #expect(try device.run("check").exit == 0)
      #expect(try device.run("boot").exit == 0)
      #expect(try device.run("apply", "--spread").exit == 0)
      let refused = try device.run("activate")
      #expect(refused.exit == 13 && refused.error.contains("2100-01-01T00:00:00Z"), "\(refused)")
      #expect(try device.release() == 4)
      #expect(try device.run("status").output.contains("in effect from 2100-01-01T00:00:00Z"))
      #expect(try device.run("activate", "--release", "5").exit == 0)
      #expect(try device.release() == 5)
    }

    @Test("maps that are out of date stay, and status says so until there are others or another date")
    func expires() throws {
      try release("--expires", "2100-01-01T00:00:00Z")
      let device = try sample.device(at: 4, of: repository.url)
      #expect(try device.run("apply").exit == 0)
      let before = try device.json("status")
      #expect(before.exit == 0)
      #expect(try before.event("status")["expires"] as? String == "2100-01-01T00:00:00Z")
      #expect(try before.event("status")["expired"] as? Bool == false)
      try setDates("--expires", "2001-01-01T00:00:00Z")
      #expect(try device.run("check").exit == 0)
      let status = try device.run("status")
      #expect(status.exit == 14)
      #expect(
        status.output.contains(
          "expired     since 2001-01-01T00:00:00Z: these maps are not to be used any more"))
      #expect(try device.release() == 5)
      #expect(try device.run("verify").exit == 0)
      try setDates("--expires", "never")
      #expect(try device.run("check").exit == 0)
      #expect(try device.run("status").exit == 0)
    }

    @Test("dates in the wrong order, of an unknown release or none at all are refused")
    func refused() throws {
      try release("--effective", "2050-01-01T00:00:00Z")
      for (words, status) in [
        (["2024-05"], 64), (["2024-05", "--effective", "tomorrow"], 64),
        (["none", "--effective", "now"], 64),
        (["2024-05", "--expires", "2049-01-01T00:00:00Z"], 64),
        (["2024-05", "--expires", "2049-01-01T00:00:00Z", "--effective", "2049-01-01T00:00:00Z"], 64),
      ] as [([String], Int32)] {
        let run = try ChildProcess.run(
          try Programs.tinypublish(),
          ["dates", repository.path] + words
            + ["--keys", repository.keys, "--passphrase-file", repository.passphraseFile])
        #expect(run.status == status, "\(words) \(run)")
      }
    }
  }
}
