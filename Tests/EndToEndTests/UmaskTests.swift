import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// A server reads what a publisher made, as another user.
  @Suite("Umask of the publisher")
  struct UmaskTests {
    @Test(
      "repositories, bundles and reports can be read by others whatever the umask of the caller; keys cannot")
    func modes() throws {
      let scratch = try Scratch("umask")
      try scratch.write("input/a/b/base.bin", "a map")
      let outcome = try ChildProcess.run(
        "sh",
        [
          "-ec",
          """
          cd \(scratch.path); umask 077; echo secret >pass; export TINYPUBLISH_PASSPHRASE_FILE=pass
          $P init maps; $P release maps input -l 1 -q; echo x >>input/a/b/base.bin
          $P plan maps input -l 2 -q --jobs-to jobs; $P work jobs --index 0; $P release maps input -l 2 -q
          $P bundle maps -o bundle.tar -q; $P bundle maps -o bundle -q; $P report maps -o report -q
          find maps bundle bundle.tar report -printf '%m %y\\n' | sort -u; find maps.keys -printf '%m %y\\n' | sort -u
          """,
        ], environment: ["P": try Programs.tinypublish()])
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.output.hasSuffix("\n644 f\n755 d\n600 f\n700 d\n"), "\(outcome.output)")
    }
  }
}
