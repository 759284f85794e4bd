import Testing

extension EndToEnd {
  /// A sample of what `make powercut` does: see docs/power-loss.md.
  @Suite("Power cuts")
  struct PowerCutTests {
    private static let script = DiskScript("powercut")

    @Test(
      "whatever of the last writes a power cut loses, tears or reorders, the device has the maps of one release",
      .enabled(if: script.obstacle == nil, script.reason))
    func sample() throws {
      try Self.script.expectNoFailures(["--states", "200", "--systems", "ext4,xfs", "--seed", "42"])
    }
  }
}
