import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What a fleet makes of a recall, whatever its devices are doing.
  @Suite("Recall of a fleet")
  struct RecallFleetTests {
    private let sample: Sample
    private let recalled: PublishedRepository

    init() throws {
      sample = try Sample.shared.get()
      recalled = try Sample.recalled.get()
    }

    /// What a device has when release 4 is recalled.
    enum State: String, CaseIterable {
      case twoBehind, behind, fresh, updated, confirmed, staged, stagedFromOlder, rolledBack, onTrial, damaged
    }

    /// What else is set on it.
    private static let settings = [
      "", "activation = command", "withdrawn = hold\nfallback = never",
      "trial = yes\nbase = /none\nat_boot = nothing",
      "window = 00:00-23:59\nlow_space = in-place",
    ]

    private func device(in state: State) throws -> Device {
      switch state {
      case .twoBehind: return try sample.device(at: 2)
      case .behind: return try sample.device(at: 3)
      case .fresh: return try sample.device(at: 4)
      case .staged: return try sample.device(at: 3, standingBy: 4)
      case .stagedFromOlder: return try sample.device(at: 2, standingBy: 4)
      case .onTrial:
        let device = try sample.device(at: 3, settings: "trial = yes\nbase = /none\nat_boot = nothing")
        #expect(try device.run("apply").exit == 0)
        #expect(try device.run("boot").exit == 0)
        return device
      case .updated, .confirmed, .rolledBack, .damaged:
        let device = try sample.device(at: 3)
        #expect(try device.run("apply").exit == 0)
        if state == .confirmed { #expect(try device.run("confirm").exit == 0) }
        if state == .rolledBack { #expect(try device.run("rollback").exit == 0) }
        if state == .damaged { try Damage.flip("\(device.root)/current/maps/europe/malta/base.bin") }
        return device
      }
    }

    @Test("G6: fifty devices in ten states and five settings all come to release 3, whole, and stay there")
    func fifty() throws {
      var rows = ["state              before  after  download  by"]
      var failures = 0
      for state in State.allCases {
        let start = try device(in: state)
        let before = try start.release()
        for settings in RecallFleetTests.settings {
          let device = try Device(recalled.url, settings: settings)
          try device.copyStore(of: start)
          // As a timer does; a start in between, as it comes.
          let first = try device.json("apply", "--spread")
          let boot = try device.run("boot")
          #expect(boot.exit == 0, "\(state) \(settings) \(boot)")
          let second = try device.json("apply", "--spread")
          // With activation = command, a release that is no way out of a recalled one stands by.
          if try device.standby() == 3 { #expect(try device.run("activate").exit == 0) }
          let after = try device.release()
          let isWhole = try device.run("verify").exit == 0
          let expected = try #require(sample.expected[3])
          let installed = try device.installed()
          let isRight =
            try after == 3 && isWhole && device.standby() == nil && second.exit == 0
            && [expected, expected.filter { !$0.key.hasPrefix("europe/atlantis/") }].contains(installed)
          if !isRight {
            failures += 1
            Issue.record(
              "\(state), \(settings): exit \(first.exit ?? -1) and \(second.exit ?? -1), release \(after), whole: \(isWhole)\n\(first.output)"
            )
          }
          let download = try first.number("result", "downloaded")
          let plan = first.events("plan").last
          let way = before < 4 ? "update" : plan == nil ? "rename" : "patches back"
          rows.append(
            state.rawValue.padded(to: 19) + "\(before)".padded(to: 8) + "\(after)".padded(to: 7)
              + "\(download)".padded(to: 10) + way)
        }
      }
      Terminal.writeLine(
        "recall of a fleet: \(failures) failures\n" + rows.joined(separator: "\n"), to: .error)
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
