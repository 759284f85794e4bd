import Platform
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

    /// A repository whose releases are in effect: the first at once, the second in the year 2100, the third in 2101.
    private func datedRepository() throws -> PublishedRepository {
      let repository = PublishedRepository(path: "\(scratch.path)/dated")
      for (number, times) in [[], ["--effective", "2100-01-01T00:00:00Z"]].enumerated() {
        try scratch.write("dated-maps/europe/malta/base.bin", "map \(number)")
        try scratch.write("dated-maps/europe/latvia/base.bin", "another map \(number)")
        try repository.publish(
          "\(scratch.path)/dated-maps", label: "r\(number)", allowingRemoved: 0, words: times)
      }
      return repository
    }

    @Test("G5: a release that is not in effect yet is staged, and becomes current when it is, by itself")
    func effective() throws {
      let repository = try datedRepository()
      let settings = "expiry = floor\nat_boot = nothing"
      let device = try Device(repository.url, trusting: repository, settings: settings)
      #expect(try device.run("install", "europe").exit == 0)
      #expect(try device.release() == 1)
      let check = try device.json("check")
      #expect(check.exit == 0)
      let upcoming = try check.event("check")["upcoming"] as? [String: Any]
      #expect(upcoming?["number"] as? Int == 2)
      #expect(upcoming?["effective"] as? String == "2100-01-01T00:00:00Z")
      let apply = try device.run("apply")
      #expect(apply.exit == 0 && apply.output.contains("in effect from 2100-01-01T00:00:00Z"), "\(apply)")
      #expect(try device.release() == 1)
      #expect(
        (try device.json("status").event("status")["standby"] as? [String: Any])?["effective"] as? String
          == "2100-01-01T00:00:00Z")
      #expect(try device.run("apply", "--spread").exit == 0)
      let early = try device.run("activate")
      #expect(early.exit == 13 && early.error.contains("activate --release r1"), "\(early.error)")
      #expect(try device.run("activate", "--release", "r0").exit == 64)
      #expect(try device.run("boot").exit == 0)
      #expect(try device.release() == 1)

      let forced = try Device("https://127.0.0.1:1", trusting: repository, settings: settings)
      try forced.copyStore(of: device)
      #expect(try forced.run("activate", "--release", "r1").exit == 0)
      #expect(try forced.release() == 2)

      // What the device knows of the time says that it has come; no network is needed.
      let time = try #require(Clock.seconds(ofTimestamp: "2100-01-01T00:00:00Z"))
      for (offset, release) in [(-1 as Int64, 1), (0, 2)] {
        for command in [["boot"], ["apply", "--spread"], ["activate"]] {
          let later = try Device("https://127.0.0.1:1", trusting: repository, settings: settings)
          try later.copyStore(of: device)
          try Programs.run("sh", "-c", "echo \(time + offset) >\(later.root)/trust/floor")
          let run = try later.run(command)
          if offset == 0 { #expect(run.exit == 0, "\(command): \(run.error)") }
          #expect(try later.release() == release, "\(command) at \(offset)")
        }
      }
    }

    @Test("a device that is further behind goes to the release in effect first, and stages the next one then")
    func effectiveAfterAnother() throws {
      let repository = PublishedRepository(path: "\(scratch.path)/three")
      for (number, times) in [[], [], ["--effective", "2100-01-01T00:00:00Z"]].enumerated() {
        try scratch.write("three-maps/europe/malta/base.bin", "map \(number)")
        try repository.publish(
          "\(scratch.path)/three-maps", label: "r\(number)", allowingRemoved: 0, words: times)
      }
      let first = try repository.copy(to: "\(scratch.path)/first", upTo: 1)
      let device = try Device(repository.url, trusting: repository)
      #expect(
        try Device(first.url, root: device.root, trusting: repository).run("install", "europe").exit == 0)
      #expect(try device.run("apply").exit == 0)
      #expect(try device.release() == 2)
      #expect(try device.run("apply").exit == 0)
      #expect(try device.release() == 2)
      #expect(try device.standby() == 3)
      // A new device gets what is in effect.
      let new = try Device(repository.url, trusting: repository)
      #expect(try new.run("install", "europe").exit == 0)
      #expect(try new.release() == 2)
      #expect(try new.run("apply", "--release", "r2").exit == 0)
      #expect(try new.release() == 3)
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
        (["2024-05", "--expires", "now"], 64), (["2024-05", "--effective", "never"], 64),
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
