import Glibc
import TestSupport
import Testing

/// What `status` says of a device that tries new releases.
private struct TrialState: Equatable, CustomStringConvertible {
  var release: Int?
  var previous: Int?
  /// Nil if no release is on trial.
  var starts: Int?
  var blocked: [Int]

  init(_ device: Device) throws {
    let status = try device.json("status").event("status")
    func number(_ value: Any?) -> Int? { (value as? [String: Any])?["number"] as? Int }
    release = number(status["release"])
    previous = number(status["previous"])
    starts = (status["trial"] as? [String: Any])?["starts"] as? Int
    blocked = (status["blocked"] as? [[String: Any]] ?? []).compactMap { number($0) }
  }

  var description: String {
    "release \(release ?? 0), previous \(previous ?? 0), starts \(starts ?? -1), blocked \(blocked)"
  }
}

extension EndToEnd {
  /// Whenever the power goes during a trial, the device has the release on trial with its way back, or the one before.
  @Suite("Kills during a trial")
  struct TrialKillTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("trial-kills")
    }

    private static let settings = "trial = yes\nat_boot = nothing"

    /// A device at release 2 that tries release 4 and has started `starts` times since.
    private func deviceOnTrial(starts: Int, settings: String = settings) throws -> Device {
      let device = try sample.device(at: 2, settings: settings)
      #expect(try device.run("apply").exit == 0)
      for _ in 0..<starts { #expect(try device.run("boot").exit == 0) }
      return device
    }

    /// Kills `command` at some of its system calls in copies of the store of `start`.
    ///
    /// - `killed`: whether a state may follow from a kill; the maps are those of its release in any case.
    /// - `again`: what is run next; the command itself by default.
    /// - `end`: the state that follows from that; nothing else may.
    private func survive(
      _ command: [String], from start: Device, _ device: Device, samples: Int, followingChildren: Bool = true,
      killed isValid: (TrialState) -> Bool, again: (TrialState) -> [String]? = { _ in ["same"] },
      end isEnd: (TrialState) -> Bool
    ) throws {
      try device.copyStore(of: start)
      let all = try SystemCalls.points(
        of: device, command, log: "\(scratch.path)/trace", followingChildren: followingChildren)
      let undisturbed = try TrialState(device)
      #expect(isEnd(undisturbed), "\(undisturbed)")
      let reached = SystemCalls.Reached()
      for point in sampled(all, samples) {
        try device.copyStore(of: start)
        let isKilled = try SystemCalls.kills(
          device, command, at: point, followingChildren: followingChildren)
        reached.note(isKilled)
        let state = try TrialState(device)
        #expect(isKilled ? isValid(state) : isEnd(state), "\(command) \(point): \(state)")
        #expect(try device.installed() == sample.expected[state.release ?? 0], "\(command) \(point)")
        if isKilled, let next = again(state) {
          let run = try device.run(next == ["same"] ? command : next)
          #expect(run.exit == 0, "\(command) \(point): \(run.error)")
        }
        let last = try TrialState(device)
        #expect(isEnd(last), "\(command) \(point): \(last)")
        #expect(try device.installed() == sample.expected[last.release ?? 0], "\(command) \(point)")
        let left = try names(device.root).filter { $0.hasSuffix(".new") || $0 == "health.log" }
        #expect(left == [], "\(command) \(point)")
      }
      reached.expectMost()
    }

    /// All of them, or some.
    private func sampled(_ points: [SystemCalls.Point], _ samples: Int) -> [SystemCalls.Point] {
      #expect(points.count >= samples)
      guard !SystemCalls.areAllTried else { return points }
      var generator = SeededGenerator(42)
      return Array(points.shuffled(using: &generator).prefix(samples))
    }

    @Test(
      "E6: killed while it installs a newer release, the device has the old one, or the new one on trial",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func updateToTrial() throws {
      let start = try sample.device(at: 2, settings: Self.settings)
      let device = try sample.device(at: 2, settings: Self.settings)
      try survive(
        ["apply"], from: start, device, samples: 12,
        killed: {
          $0.release == 2 && $0.starts == nil || $0.release == 4 && $0.starts == 0 && $0.previous == 2
        },
        end: { $0.release == 4 && $0.starts == 0 && $0.previous == 2 && $0.blocked == [] })
    }

    @Test(
      "E6: killed while it counts a start, the device counts it or not",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func counting() throws {
      let start = try deviceOnTrial(starts: 1)
      let device = try sample.device(at: 2, settings: Self.settings)
      try survive(
        ["boot"], from: start, device, samples: 10,
        killed: { $0.release == 4 && ($0.starts == 1 || $0.starts == 2) && $0.previous == 2 },
        again: { $0.starts == 1 ? ["boot"] : nil },
        end: { $0.release == 4 && $0.starts == 2 && $0.previous == 2 && $0.blocked == [] })
    }

    @Test(
      "E6: killed while it goes back after too many starts, the device finishes that at the next start",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func goingBack() throws {
      let start = try deviceOnTrial(starts: 3)
      let device = try sample.device(at: 2, settings: Self.settings)
      try survive(
        ["boot"], from: start, device, samples: 12,
        killed: { $0.release == 4 && $0.starts == 3 || $0.release == 2 && $0.blocked == [4] },
        end: { $0.release == 2 && $0.starts == nil && $0.blocked == [4] })
      // The next run of a timer does not undo it.
      #expect(try device.run("apply").exit == 0)
      #expect(try device.run("check").exit == 0)
      #expect(try device.release() == 2)
    }

    @Test(
      "E6: killed while it goes back because of the health command, the device finishes that at the next start",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func goingBackForHealth() throws {
      try scratch.write("health", "#!/bin/sh\nexit 3\n")
      #expect(chmod("\(scratch.path)/health", 0o755) == 0)
      let settings = Self.settings + "\nhealth_command = \(scratch.path)/health"
      let start = try deviceOnTrial(starts: 0, settings: settings)
      let device = try sample.device(at: 2, settings: settings)
      // The health command makes system calls of its own.
      try survive(
        ["boot"], from: start, device, samples: 12, followingChildren: false,
        killed: {
          $0.release == 4 && ($0.starts == 0 || $0.starts == 1) || $0.release == 2 && $0.blocked == [4]
        },
        end: { $0.release == 2 && $0.starts == nil && $0.blocked == [4] })
    }

    @Test(
      "E6: killed while it confirms, the device is on trial with a way back, or confirmed",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func confirmingTrial() throws {
      let start = try deviceOnTrial(starts: 3)
      let device = try sample.device(at: 2, settings: Self.settings)
      try survive(
        ["confirm"], from: start, device, samples: 10,
        killed: { $0.release == 4 && ($0.starts == nil || $0.starts == 3 && $0.previous == 2) },
        end: { $0.release == 4 && $0.starts == nil && $0.previous == nil && $0.blocked == [] })
      #expect(try device.run("boot").output == "boot: release 4 (2024-04) is ready\n")
    }

    @Test(
      "E6: killed while a user goes back, the device has not gone back, or has and stays there",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"),
      arguments: [true, false])
    func rollingBack(onTrial: Bool) throws {
      let settings = onTrial ? Self.settings : "at_boot = nothing"
      let start = try deviceOnTrial(starts: 1, settings: settings)
      let device = try sample.device(at: 2, settings: settings)
      try survive(
        ["rollback"], from: start, device, samples: 10,
        killed: { $0.release == 4 || $0.release == 2 && $0.blocked == [4] },
        again: { $0.release == 4 ? ["rollback"] : ["apply"] },
        end: { $0.release == 2 && $0.starts == nil && $0.blocked == [4] })
    }

    @Test(
      "E6: killed while it installs a newer release than the blocked one, or the one that a user names, the device ends there",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"),
      arguments: [["apply"], ["apply", "--release", "4"]])
    func afterBlock(command: [String]) throws {
      let isNewer = command.count == 1
      let served = try sample.repository.copy(to: "\(scratch.path)/served", upTo: isNewer ? 3 : 4)
      let start = try sample.device(at: 2, of: served.url, settings: Self.settings)
      #expect(try start.run("apply").exit == 0)
      #expect(try start.run("rollback").exit == 0)
      let blocked = isNewer ? 3 : 4
      #expect(try TrialState(start).blocked == [blocked])
      let device = try sample.device(at: 2, settings: Self.settings)
      try survive(
        command, from: start, device, samples: 8,
        killed: {
          $0.release == 2 && $0.blocked == [blocked] && $0.starts == nil
            || $0.release == 4 && $0.starts == 0 && $0.previous == 2
        },
        end: { $0.release == 4 && $0.starts == 0 && $0.previous == 2 && $0.blocked == [] })
      // The block was of another generation.
      #expect(
        try device.run("boot").output == "boot: release 4 (2024-04) is ready and on trial, start 1 of 3\n")
    }
  }
}
