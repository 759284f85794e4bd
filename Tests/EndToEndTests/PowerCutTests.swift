import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// A sample of what `make powercut` does: see docs/power-loss.md.
  @Suite("Power cuts")
  struct PowerCutTests {
    private static let script = "\(Checkout.root)/scripts/powercut"

    /// Why this machine cannot mount recorded file systems; nil if it can.
    private static let obstacle: String? = {
      do throws(FileError) {
        let outcome = try ChildProcess.run(script, ["--check"])
        return outcome.status == 0 ? nil : outcome.error.split(separator: "\n").last.map(String.init) ?? ""
      } catch { return "scripts/powercut does not start: \(error.sentence)" }
    }()

    @Test(
      "whatever of the last writes a power cut loses, tears or reorders, the device has the maps of one release",
      .enabled(if: PowerCutTests.obstacle == nil, Comment(rawValue: PowerCutTests.obstacle ?? "")))
    func sample() throws {
      let words = ["TINYUPDATER=\(try Programs.tinyupdater())", "TINYPUBLISH=\(try Programs.tinypublish())"]
      let states = ["--states", "200", "--systems", "ext4,xfs", "--seed", "42"]
      let outcome = try ChildProcess.run("env", words + [PowerCutTests.script] + states, timeout: 600)
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.error)")
      #expect(outcome.output.contains(" 0 failures"), "\(outcome.output)")
    }
  }
}
