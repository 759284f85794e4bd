import TestSupport
import Testing

extension EndToEnd {
  /// `bench/fleet`, which makes the figures of `docs/fleet.md`, with few devices.
  @Suite("Simulation of a fleet")
  struct FleetTests {
    private func run(_ arguments: String...) throws -> ChildProcess.Outcome {
      try ChildProcess.run("python3", ["\(Checkout.root)/bench/fleet", "--check"] + arguments)
    }

    @Test(
      "what devices receive is what is sent and counted, in each scenario, and a seed gives the same each time"
    )
    func sums() throws {
      let first = try run("--devices", "2000")
      #expect(first.status == 0 && first.error == "", "\(first)")
      #expect(first.output.contains("| packaged timer |"))
      #expect(try run("--devices", "2000") == first)
      #expect(try run("--devices", "2000", "--seed", "2").output != first.output)
    }

    @Test(
      "the sums are equal where everything goes wrong at once",
      arguments: [["--edges", "7", "--ttl", "600"], ["--edges", "3", "--ttl", "0"], []])
    func trouble(edges: [String]) throws {
      for schedule in ["timer", "daily", "boot"] {
        let outcome = try ChildProcess.run(
          "python3",
          [
            "\(Checkout.root)/bench/fleet", "--check", "--one", "--devices", "3000", "--broken", "0.6",
            "--offline",
            "0.3", "--behind", "0.2", "--spread", "30000", "--rollout", "0:3,5.5:40,20:100", "--schedule",
            schedule,
          ] + edges)
        #expect(outcome.status == 0 && outcome.error == "", "\(outcome)")
      }
    }
  }
}
