import Testing

extension EndToEnd {
  /// A sample of what `make reenter` does: see docs/power-loss.md.
  @Suite("Interrupted, and continued in another way")
  struct ReenterTests {
    private static let script = DiskScript("reenter")

    @Test(
      "whatever ends a command, and whatever comes next, no map that was there before is lost",
      .enabled(if: script.obstacle == nil, script.reason))
    func sample() throws {
      try Self.script.expectNoFailures(["--states", "60", "--seed", "\(SystemCalls.seed >> 1)"])
    }
  }
}
